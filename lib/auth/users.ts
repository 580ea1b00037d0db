import { audit, OPERATOR } from "@/lib/audit";
import { db, type Statements, transaction } from "@/lib/db/client";
import { isUniqueViolation } from "@/lib/db/errors";
import { env } from "@/lib/env";
import { ApiError, invalidParameter, rateLimited, userNotFound } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { limitedAs, type Network } from "@/lib/network";
import { networkLimiter } from "@/lib/network-limits";
import { mintToken } from "@/lib/tokens";
import { USERNAME, usernameKey } from "@/lib/usernames";
import { hashedFor } from "./password-limits";
import { checkPassword, type HashedFor, hashPassword } from "./passwords";

const signUps = networkLimiter("sign-ups", env.SIGNUPS_PER_HOUR, 3_600);

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
  /** Where it is made from; the admin command is nowhere. */
  network?: Network;
}

/** The admin command hashes in a process of its own. */
const BY_OPERATOR: HashedFor = [OPERATOR];

/**
 * Makes a user and the user's token. Without a password nobody can sign in by one. Throws 400 `invalid_parameter`, 409
 * `username_taken` (contract, section 1: username) and 409 `identity_taken`.
 */
export async function createUser({ username, password = null, identity, madeBy, network }: Account, now = new Date()): Promise<NewUser> {
  if (!USERNAME.test(username)) throw invalidParameter("A username has 3 to 20 characters of A-Z, a-z, 0-9, _ and -.", "username");
  if (password !== null) await checkPassword(password);
  const passwordHash = password === null ? null : await hashPassword(password, network ? hashedFor({ network }) : BY_OPERATOR);
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

const usernameTaken = (username: string) => new ApiError(409, "username_taken", `The username ${username} is taken. Choose another.`, {}, "username");

export const identityTaken = () => new ApiError(409, "identity_taken", "That account signs in another user already.");

/** What the sign-up page does: `createUser`, where signing up is open, limited by network. Throws 403 `signup_closed` and 429 `rate_limited` too. */
export async function signUp(account: Account, network: Network): Promise<NewUser> {
  if (!env.ALLOW_SIGNUP) throw new ApiError(403, "signup_closed", "Signing up is closed here. Whoever runs this service can add you.");
  if (network.kind === "remote" || network.kind === "shared") {
    const { allowed, retryAfter } = await signUps.take(limitedAs(network).id);
    if (!allowed) throw rateLimited(retryAfter, "Too many accounts were made from this network. Try again later.");
  }
  return createUser({ ...account, network });
}

/** The hash of the user's password, or null where the user has none. */
export async function passwordHashOf(userId: string): Promise<string | null> {
  const { passwordHash } = await db.user.findUniqueOrThrow({ where: { id: userId }, select: { passwordHash: true } });
  return passwordHash;
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
  const passwordHash = await hashPassword(password, BY_OPERATOR);
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
