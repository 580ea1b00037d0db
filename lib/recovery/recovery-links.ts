import { audit, OPERATOR } from "@/lib/audit";
import { hashedFor } from "@/lib/auth/password-limits";
import { checkPassword, hashPassword } from "@/lib/auth/passwords";
import { db, transaction } from "@/lib/db/client";
import { lockUser } from "@/lib/db/lock";
import { accountDisabled } from "@/lib/errors";
import type { Network } from "@/lib/network";
import { findUser } from "@/lib/user";
import { countGuess } from "./guesses";
import { badLink, hashSecret, newLink } from "./one-time-link";
import { type Recovered, setRecoveredPassword } from "./set-password";

/**
 * The operator's link with which a user sets a new password. It works once, for 24 hours, until the next one is made
 * for the same user. Throws 404 `user_not_found`, 403 `account_disabled`, and an Error if NEXTAUTH_URL is not set.
 */
export async function createRecoveryLink(
  name: string,
  now = new Date(),
): Promise<{ username: string; link: string; expiresAt: Date }> {
  const { id: userId, username } = await findUser(name);
  const { link, ...stored } = newLink("/recover/link", now);
  await transaction(async (tx) => {
    await lockUser(tx, userId);
    if ((await tx.user.count({ where: { id: userId, disabledAt: null } })) === 0) throw accountDisabled();
    await tx.recoveryLink.deleteMany({ where: { userId, through: "operator" } });
    await tx.recoveryLink.create({ data: { userId, through: "operator", ...stored } });
    await audit(
      { at: now, action: "recovery.link", subjectId: userId, actorId: OPERATOR, detail: { user: username } },
      tx,
    );
  });
  return { username, link, expiresAt: stored.expiresAt };
}

/** Whose link this is; changes nothing. Throws 404 `bad_link` and 429 `rate_limited`. */
export async function findRecoveryLink(
  secret: string,
  network: Network,
  now = new Date(),
): Promise<{ userId: string; username: string; through: "link" | "email" }> {
  const guess = await countGuess(network);
  const found = await db.recoveryLink.findUnique({
    where: { hash: hashSecret(secret), expiresAt: { gt: now }, user: { disabledAt: null } },
    select: { userId: true, through: true, user: { select: { username: true } } },
  });
  if (!found) throw badLink();
  await guess.giveBack();
  const through = found.through === "email" ? "email" : "link";
  return { userId: found.userId, username: found.user.username, through };
}

/**
 * Sets a new password and uses the link up. Signs the user out everywhere; with `alsoToken`, the user gets a new token
 * in the same step. Returns the account, with its new hash. Throws 400 for a bad password, and as `findRecoveryLink`
 * does.
 */
export async function recoverByLink(
  secret: string,
  password: string,
  alsoToken: boolean,
  network: Network,
  now = new Date(),
): Promise<Recovered> {
  await checkPassword(password);
  const { userId: id, username, through } = await findRecoveryLink(secret, network, now);
  const passwordHash = await hashPassword(password, hashedFor({ network }));
  await transaction(async (tx) => {
    const { count } = await tx.recoveryLink.deleteMany({ where: { hash: hashSecret(secret), expiresAt: { gt: now } } });
    const isSet =
      count === 1 && (await setRecoveredPassword(tx, id, passwordHash, { through, network, alsoToken }, now));
    if (!isSet) throw badLink();
  });
  return { id, username, passwordHash };
}
