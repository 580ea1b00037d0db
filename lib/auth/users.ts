import { audit, OPERATOR } from "@/lib/audit";
import { db, type Statements, transaction } from "@/lib/db/client";
import { isUniqueViolation } from "@/lib/db/errors";
import { env } from "@/lib/env";
import { ApiError, accountDisabled, invalidParameter, rateLimited, userNotFound } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { limiter } from "@/lib/limits";
import type { Network } from "@/lib/network";
import { mintToken } from "@/lib/tokens";
import { USERNAME, usernameKey } from "@/lib/usernames";
import { checkPassword, hashPassword, verifyPassword } from "./passwords";

const signUps = limiter("sign-ups", env.SIGNUPS_PER_HOUR, 3_600);
const failedPasswords = limiter("failed passwords", env.FAILED_PASSWORDS_PER_10_MINUTES, 600);
const failedPasswordsAnywhere = limiter("failed passwords anywhere", 100 * env.FAILED_PASSWORDS_PER_10_MINUTES, 600);

export interface NewUser {
  id: string;
  username: string;
  token: string;
}

/** A provider's account, as the provider names it. */
export interface ProviderIdentity {
  provider: string;
  accountId: string;
}

interface Account {
  username: string;
  password?: string | null;
  identity?: ProviderIdentity;
  /** Who made it, where that is not the user. */
  madeBy?: string;
}

/**
 * Makes a user and the user's token. Without a password nobody can sign in by one. Throws 400 `invalid_parameter`, 409
 * `username_taken` (contract, section 1: a username is unique without regard to case) and 409 `identity_taken`.
 */
export async function createUser({ username, password = null, identity, madeBy }: Account, now = new Date()): Promise<NewUser> {
  if (!USERNAME.test(username)) throw invalidParameter("A username has 3 to 20 characters of A-Z, a-z, 0-9, _ and -.");
  if (password !== null) await checkPassword(password);
  const passwordHash = password === null ? null : await hashPassword(password);
  const id = newId();
  const { token, stored } = mintToken(id);
  const user = { id, username, usernameKey: usernameKey(username), role: "user", passwordHash, ...stored, tokenAt: now, createdAt: now };
  try {
    await transaction(async (tx) => {
      await tx.user.create({ data: user });
      if (await tx.retiredName.findUnique({ where: { usernameKey: user.usernameKey } })) throw usernameTaken(username);
      if (identity) await tx.identity.create({ data: { ...identity, userId: id, createdAt: now } });
      await audit({ at: now, action: "user.create", subjectId: id, actorId: madeBy ?? id, detail: { user: username } }, tx);
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    if (identity && (await db.identity.findUnique({ where: { provider_accountId: identity } }))) throw identityTaken();
    throw usernameTaken(username);
  }
  return { id, username, token };
}

const usernameTaken = (username: string) => new ApiError(409, "username_taken", `The username ${username} is taken. Choose another.`);

export const identityTaken = () => new ApiError(409, "identity_taken", "That account signs in another user already.");

/** What the sign-up page does: `createUser`, where signing up is open, limited by network. Throws 403 `signup_closed` and 429 `rate_limited` too. */
export async function signUp(account: Account, network: Network): Promise<NewUser> {
  if (!env.ALLOW_SIGNUP) throw new ApiError(403, "signup_closed", "Signing up is closed here. Whoever runs this service can add you.");
  if (network.kind === "remote" || network.kind === "shared") {
    const { allowed, retryAfter } = await signUps.take(network.id);
    if (!allowed) throw rateLimited(retryAfter, "Too many accounts were made from this network. Try again later.");
  }
  return createUser(account);
}

/**
 * The user with this name and password. A wrong password and an unknown name answer alike and take alike long: 401
 * `wrong_password`. Throws 403 `account_disabled`, and 429 `rate_limited` after too many failures for this account and network.
 */
export async function authenticate(username: string, password: string, network: Network): Promise<{ id: string; username: string; passwordHash: string }> {
  const key = `${usernameKey(username).slice(0, 40)} ${network.id}`;
  // Counted before it is looked at, and taken back on success, so that many guesses at once are still many.
  // Where nobody knows networks, a low limit would let anybody lock an account for everybody.
  const failures = network.kind === "unknown" ? failedPasswordsAnywhere : failedPasswords;
  const { allowed, retryAfter } = await failures.take(key);
  if (!allowed) throw rateLimited(retryAfter, `Too many wrong passwords. Try again in ${Math.ceil(retryAfter / 60)} min.`);
  const user = await db.user.findUnique({ where: { usernameKey: usernameKey(username) } });
  const passwordHash = user?.passwordHash ?? null;
  if (!(await verifyPassword(passwordHash, password)) || !user || passwordHash === null)
    throw new ApiError(401, "wrong_password", "The username or the password is wrong.");
  await failures.clear(key);
  if (user.disabledAt) throw accountDisabled();
  return { id: user.id, username: user.username, passwordHash };
}

/**
 * Changes a user's own password and signs every other browser out. An account without a password gets its first one, and
 * `current` does not matter. Throws as `authenticate` does, and 400 for a password that is too short.
 */
export async function changePassword(
  user: { id: string; username: string; sessionId: string },
  current: string,
  next: string,
  network: Network,
): Promise<void> {
  await checkPassword(next);
  const passwordHash = await provePassword(user, current, network);
  const replaced = await hashPassword(next);
  await transaction(async (tx) => {
    const { count } = await tx.user.updateMany({ where: { id: user.id, passwordHash }, data: { passwordHash: replaced } });
    if (count === 0) throw new ApiError(409, "changed_meanwhile", "The password was changed meanwhile. Sign in again.");
    await endSessions(tx, user.id, user.sessionId);
  });
}

/**
 * Makes sure that who is signed in knows the account's password, where it has one. Answers its hash, or null. Throws as
 * `authenticate` does.
 */
export async function provePassword(user: { id: string; username: string }, password: string, network: Network): Promise<string | null> {
  const { passwordHash } = await db.user.findUniqueOrThrow({ where: { id: user.id }, select: { passwordHash: true } });
  if (passwordHash === null) return null;
  await authenticate(user.username, password, network).catch((error) => {
    if (error instanceof ApiError && error.code === "wrong_password") throw new ApiError(401, error.code, "That is not your current password.");
    throw error;
  });
  return passwordHash;
}

/** Whether the user can sign in by a password. */
export async function hasPassword(userId: string): Promise<boolean> {
  const { passwordHash } = await db.user.findUniqueOrThrow({ where: { id: userId }, select: { passwordHash: true } });
  return passwordHash !== null;
}

/** The user with this name, in any case of its letters. Throws 404 `user_not_found`. */
export async function findUser(username: string): Promise<{ id: string; username: string; role: string }> {
  const user = await db.user.findUnique({ where: { usernameKey: usernameKey(username) }, select: { id: true, username: true, role: true } });
  if (!user) throw userNotFound();
  return user;
}

/** The operator sets a password without knowing the former one, and signs the user out everywhere. Throws 404 `user_not_found`, 400 for a bad password. */
export async function setPassword(username: string, password: string, now = new Date()): Promise<void> {
  await checkPassword(password);
  const { id } = await findUser(username);
  const passwordHash = await hashPassword(password);
  await transaction(async (tx) => {
    await tx.user.update({ where: { id }, data: { passwordHash } });
    await endSessions(tx, id);
    await audit({ at: now, action: "user.password", subjectId: id, actorId: OPERATOR, detail: { user: username } }, tx);
  });
}

/** The operator sets a role. Throws 404 `user_not_found`. */
export async function setRole(username: string, role: "admin" | "user", now = new Date()): Promise<void> {
  const { id } = await findUser(username);
  await transaction(async (tx) => {
    await tx.user.update({ where: { id }, data: { role } });
    await audit({ at: now, action: "user.role", subjectId: id, actorId: OPERATOR, detail: { user: username, role } }, tx);
  });
}

/** The operator disables an account, which ends its sessions and its token's use at once, or enables it, which gives the token back. Throws 404 `user_not_found`. */
export async function setDisabled(username: string, disabled: boolean, now = new Date()): Promise<void> {
  const { id } = await findUser(username);
  await transaction(async (tx) => {
    const { count } = await tx.user.updateMany({ where: { id, deletingAt: null }, data: { disabledAt: disabled ? now : null } });
    if (count === 0) throw userNotFound();
    if (disabled) await endSessions(tx, id);
    await audit({ at: now, action: disabled ? "user.disable" : "user.enable", subjectId: id, actorId: OPERATOR, detail: { user: username } }, tx);
  });
}

/** Signs a user out everywhere, but for the one session named. */
export async function endSessions(statements: Statements, userId: string, exceptSessionId?: string): Promise<void> {
  await statements.session.deleteMany({ where: { userId, NOT: exceptSessionId === undefined ? undefined : { id: exceptSessionId } } });
}
