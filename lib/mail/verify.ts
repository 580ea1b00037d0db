import { audit } from "@/lib/audit";
import { db, transaction } from "@/lib/db/client";
import { BATCH, inBatches } from "@/lib/db/in-batches";
import { lockUser } from "@/lib/db/lock";
import { ApiError } from "@/lib/errors";
import type { Network } from "@/lib/network";
import { countGuess } from "@/lib/one-time-links/guesses";
import { badLink, hashSecret, isOpenLink } from "@/lib/one-time-links/one-time-link";
import { namedNetwork, putMail } from "./outbox";

/** An address that its link would verify. */
export interface AddressToVerify {
  userId: string;
  username: string;
  address: string;
}

/** What the link verifies; changes nothing. Throws 404 `bad_link` and 429 `rate_limited`. */
export async function findAddressToVerify(
  secret: string,
  network: Network,
  now = new Date(),
): Promise<AddressToVerify> {
  const guess = await countGuess(network);
  const found = await db.emailAddress.findUnique({
    where: { hash: hashSecret(secret), ...isOpenLink(now), user: { disabledAt: null } },
    select: { userId: true, pending: true, user: { select: { username: true } } },
  });
  if (!found?.pending) throw badLink();
  await guess.giveBack();
  return { userId: found.userId, username: found.user.username, address: found.pending };
}

/**
 * Takes the address of the signed-in user into use, and ends the link. Not for anybody else: whoever gets a message by
 * mistake could otherwise have links to set a new password sent there. A former address is told, and links that were
 * sent there end. Throws 403 `other_account`, and as `findAddressToVerify` does.
 */
export async function verifyAddress(userId: string, secret: string, network: Network, now = new Date()): Promise<void> {
  const { address, ...found } = await findAddressToVerify(secret, network, now);
  if (found.userId !== userId)
    throw new ApiError(403, "other_account", `Sign in as ${found.username} in this browser, then open the link again.`);
  await transaction(async (tx) => {
    await lockUser(tx, userId);
    const email = await tx.emailAddress.findFirst({
      where: { hash: hashSecret(secret), pending: address, user: { disabledAt: null } },
    });
    if (!email) throw badLink();
    await tx.emailAddress.update({
      where: { userId },
      data: { address, verifiedAt: now, pending: null, hash: null, expiresAt: null, failedAt: null },
    });
    await tx.mail.deleteMany({ where: { userId, kind: "verification" } });
    await tx.recoveryLink.deleteMany({ where: { userId, through: "email" } });
    const facts = { network: namedNetwork(network.id) };
    if (email.address !== null)
      await putMail(tx, { kind: "address changed", userId, address: email.address, facts }, now);
    await audit({ at: now, action: "email.verify", subjectId: userId, actorId: userId }, tx);
  });
}

/** Forgets addresses that nobody verified in time, in small statements. Returns how many. */
export async function sweepAddresses(now = new Date()): Promise<number> {
  return inBatches(async () => {
    const expired = { pending: { not: null }, expiresAt: { lte: now } };
    const found = await db.emailAddress.findMany({ where: expired, take: BATCH, select: { userId: true } });
    const among = { userId: { in: found.map(({ userId }) => userId) }, ...expired };
    const { count } = await db.emailAddress.deleteMany({ where: { ...among, address: null } });
    const kept = await db.emailAddress.updateMany({
      where: among,
      data: { pending: null, hash: null, expiresAt: null },
    });
    return count + kept.count;
  });
}
