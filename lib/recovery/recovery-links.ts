import { audit, OPERATOR } from "@/lib/audit";
import { db, type Statements, transaction } from "@/lib/db/client";
import { lockUser } from "@/lib/db/lock";
import { accountDisabled } from "@/lib/errors";
import type { Network } from "@/lib/network";
import { countGuess } from "@/lib/one-time-links/guesses";
import { badLink, hashSecret, isOpenLink, newLink } from "@/lib/one-time-links/one-time-link";
import { findUser } from "@/lib/user";

/**
 * A link of an administrator or the operator, with which a user sets a new password. It works once, for 24 hours, until
 * the next one is made for the same user. `origin`: as the administrator opened this service; by default NEXTAUTH_URL.
 * Throws 404 `user_not_found`, 403 `account_disabled`, and an Error without either.
 */
export async function createRecoveryLink(
  name: string,
  actorId = OPERATOR,
  now = new Date(),
  origin?: string,
): Promise<{ username: string; link: string; expiresAt: Date }> {
  const { id: userId, username } = await findUser(name);
  const { link, ...stored } = newLink("/recover/link", now, origin);
  await transaction(async (tx) => {
    await lockUser(tx, userId);
    if ((await tx.user.count({ where: { id: userId, disabledAt: null } })) === 0) throw accountDisabled();
    await tx.recoveryLink.deleteMany({ where: { userId, through: "operator" } });
    await tx.recoveryLink.create({ data: { userId, through: "operator", ...stored } });
    await audit({ at: now, action: "recovery.link", subjectId: userId, actorId, detail: { user: username } }, tx);
  });
  return { username, link, expiresAt: stored.expiresAt };
}

/** Whose link this is; changes nothing. Throws 404 `bad_link` and 429 `rate_limited`. */
export async function findRecoveryLink(
  secret: string,
  network: Network,
  now = new Date(),
): Promise<{ id: string; username: string; through: "link" | "email" }> {
  const guess = await countGuess(network);
  const found = await db.recoveryLink.findUnique({
    where: { hash: hashSecret(secret), ...isOpenLink(now), user: { disabledAt: null } },
    select: { through: true, user: { select: { id: true, username: true } } },
  });
  if (!found) throw badLink();
  await guess.giveBack();
  return { ...found.user, through: placeOf(found) };
}

/** Uses a user's link up. Returns how it came to its user, or null if it is not there, or no longer. */
export async function spendRecoveryLink(
  tx: Statements,
  userId: string,
  secret: string,
  now: Date,
): Promise<"link" | "email" | null> {
  const where = { userId, hash: hashSecret(secret), ...isOpenLink(now) };
  const link = await tx.recoveryLink.findFirst({ where, select: { through: true } });
  if (!link || (await tx.recoveryLink.deleteMany({ where })).count === 0) return null;
  return placeOf(link);
}

const placeOf = ({ through }: { through: string }) => (through === "email" ? "email" : "link");
