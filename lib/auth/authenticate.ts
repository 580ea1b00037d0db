import { audit } from "@/lib/audit";
import { db, transactionOnFullDisk } from "@/lib/db/client";
import { ApiError, accountDisabled, wrongPassword } from "@/lib/errors";
import { forgetPending } from "@/lib/mail/forget-pending";
import { notify } from "@/lib/mail/outbox";
import type { Network } from "@/lib/network";
import { keepKind } from "@/lib/user-kind";
import { usernameKey } from "@/lib/usernames";
import { knownBrowser } from "./known-browsers";
import { countAttempt, type Guesser, hashedFor } from "./password-limits";
import { checkPassword, hashPassword, verifyPassword } from "./passwords";
import { recordProof, requireRecentProof } from "./recent-proof";
import { replaceToken } from "./rotate-token";
import { hasSignedInFrom } from "./sign-ins";
import { endSessions, passwordHashOf } from "./users";

/** A signed-in user. */
interface Here {
  id: string;
  username: string;
  sessionId: string;
}

/**
 * The user with this name and password. A wrong password and an unknown name give the same error after the same time:
 * 401 `wrong_password`. Throws 403 `account_disabled`, and 429 `rate_limited` after too many failures: see
 * `countAttempt`. `cookie` is this browser's known-browser cookie, if it has one.
 */
export async function authenticate(
  username: string,
  password: string,
  network: Network,
  cookie?: string,
): Promise<{ id: string; username: string; passwordHash: string }> {
  const user = await db.user.findUnique({ where: { usernameKey: usernameKey(username) } });
  const browser = user ? knownBrowser(cookie, user) : undefined;
  const isUsual = await hasSignedInFrom(user?.id ?? "", network.id);
  await judge(username, user?.passwordHash ?? null, password, { network, browser, isUsual });
  if (!user || user.passwordHash === null) throw wrongPassword();
  if (user.disabledAt) throw accountDisabled();
  return { id: user.id, username: user.username, passwordHash: user.passwordHash };
}

/** Throws 401 `wrong_password`, and 429 as `countAttempt` and `verifyPassword` do. */
async function judge(username: string, passwordHash: string | null, password: string, from: Guesser): Promise<void> {
  const attempt = await countAttempt(username, from);
  const isRight = await verifyPassword(passwordHash, password, hashedFor(from)).catch(async (error) => {
    await attempt.unjudged();
    throw error;
  });
  if (!isRight) throw wrongPassword();
  await attempt.succeeded();
}

/**
 * Verifies that the signed-in person knows the account's password: a proof for the next ten minutes. An account without
 * one needs another recent proof. Returns the password's hash, or null. A session counts as a known browser. Throws 401
 * `wrong_password`, 403 `proof_needed` and 429 `rate_limited`.
 */
export async function provePassword(
  user: Here,
  password: string,
  network: Network,
  now = new Date(),
): Promise<string | null> {
  const passwordHash = await passwordHashOf(user.id);
  if (passwordHash === null) {
    await requireRecentProof(user, now);
    return null;
  }
  await judge(user.username, passwordHash, password, fromSession(user, network)).catch((error) => {
    if (error instanceof ApiError && error.code === "wrong_password")
      throw wrongPassword("That is not your current password.", "current password");
    throw error;
  });
  await recordProof(user, "password", now);
  return passwordHash;
}

function fromSession({ sessionId }: Here, network: Network): Guesser {
  return { network, browser: `session ${sessionId}` };
}

/**
 * Changes a user's own password, signs out every other browser and ends open links. With `alsoToken`, the
 * user gets a new token in the same step. An account without a password gets its first one, after another recent proof.
 * Returns the new hash. Throws as `provePassword` does, and 400 for a password that is too short.
 */
export async function changePassword(
  user: Here,
  current: string,
  next: string,
  network: Network,
  alsoToken = false,
  now = new Date(),
): Promise<string> {
  await checkPassword(next);
  const passwordHash = await provePassword(user, current, network, now);
  const replaced = await hashPassword(next, hashedFor(fromSession(user, network)));
  await transactionOnFullDisk(async (tx) => {
    const { count } = await tx.user.updateMany({
      where: { id: user.id, passwordHash },
      data: { passwordHash: replaced },
    });
    if (count === 0) throw new ApiError(409, "password_changed", "The password was changed meanwhile. Sign in again.");
    await keepKind(tx, user.id);
    await endSessions(tx, user.id, user.sessionId);
    await tx.recoveryLink.deleteMany({ where: { userId: user.id } });
    await forgetPending(tx, user.id);
    await audit({ at: now, action: "user.password", subjectId: user.id, actorId: user.id }, tx);
    await notify(tx, user.id, "password changed", { network: network.id, sessionId: user.sessionId }, now);
    if (alsoToken) await replaceToken(tx, user.id, user.id, now);
  });
  return replaced;
}
