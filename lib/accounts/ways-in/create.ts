import { audit, OPERATOR } from "@/lib/platform/audit";
import { MAX_USERNAME, MIN_USERNAME } from "@/lib/platform/bounds";
import { mintToken } from "@/lib/platform/crypto/tokens";
import { db, type Statements, transaction } from "@/lib/platform/db/client";
import { isUniqueViolation } from "@/lib/platform/db/errors";
import { requireFreeSpace } from "@/lib/platform/db/free-space";
import { env } from "@/lib/platform/env";
import { ApiError, invalidParameter, rateLimited } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";
import { networkLimiter } from "@/lib/platform/limits/limits";
import { limitedAs, type Network } from "@/lib/platform/network/network";
import type { NetworkContext } from "../context";
import { isReservedName } from "../identity/reserved-names";
import { findUser, keepKind, USERNAME, usernameKey } from "../identity/user";
import { hashedFor } from "./limits";
import { forgetPending, notify } from "./mail/outbox";
import { type NewPasskey, storePasskey } from "./passkeys/add";
import { checkPassword, type HashedFor, hashPassword } from "./passwords";

/** Accounts stay: a day has room for this many full hours. */
const HOURS_A_DAY = 2;
const signUps = [
  networkLimiter("sign-ups", env.SIGNUPS_PER_HOUR, { seconds: 3_600 }),
  networkLimiter("sign-ups of a day", HOURS_A_DAY * env.SIGNUPS_PER_HOUR, { seconds: 24 * 3_600 }),
];

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
  /** The first passkey, and the id that its browser already knows the account by. */
  passkey?: NewPasskey & { userId: string };
  /** The creator, if not the user. */
  createdBy?: string;
  /** The network it is created from; none for the admin command. */
  network?: Network;
  role?: "user" | "admin";
  /** Done in the same transaction: what it throws undoes everything. */
  alongside?: (tx: Statements, userId: string) => Promise<void>;
}

/** The admin command hashes in its own process. */
const BY_OPERATOR: HashedFor = [OPERATOR];

/**
 * Creates a user with a token. Without a password, nobody can sign in with one. Only the operator's own command gives
 * reserved names. Throws 400 `invalid_parameter`, 409 `username_taken` (contract, section 1: username) and 409
 * `identity_taken`.
 */
export async function createUser(
  { username, password = null, identity, passkey, createdBy, network, role = "user", alongside }: Account,
  now = new Date(),
): Promise<NewUser> {
  checkShape(username);
  if (createdBy !== OPERATOR) refuseReserved(username);
  if (password !== null) await checkPassword(password);
  const passwordHash =
    password === null ? null : await hashPassword(password, network ? hashedFor({ network }) : BY_OPERATOR);
  const id = passkey?.userId ?? newId();
  const { token, stored } = mintToken(id);
  const user = {
    id,
    username,
    usernameKey: usernameKey(username),
    role,
    passwordHash,
    ...stored,
    tokenAt: now,
    createdAt: now,
  };
  try {
    await transaction(async (tx) => {
      await tx.user.create({ data: user });
      await keepKind(tx, id);
      if (await tx.retiredName.findUnique({ where: { usernameKey: user.usernameKey } })) throw usernameTaken(username);
      if (identity) await tx.identity.create({ data: { ...identity, userId: id, createdAt: now } });
      await audit(
        { at: now, action: "user.create", subjectId: id, actorId: createdBy ?? id, detail: { user: username } },
        tx,
      );
      if (passkey) await storePasskey(tx, id, { passkey, now });
      await alongside?.(tx, id);
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    if (identity && (await db.identity.findUnique({ where: { provider_accountId: identity } }))) throw identityTaken();
    throw usernameTaken(username);
  }
  return { id, username, token };
}

function checkShape(username: string): void {
  if (!USERNAME.test(username))
    throw invalidParameter(
      `A username has ${MIN_USERNAME} to ${MAX_USERNAME} characters of A-Z, a-z, 0-9, _ and -.`,
      "username",
    );
}

/** Throws 400 `invalid_parameter` for a name that only the operator's own command gives. */
function refuseReserved(username: string): void {
  if (isReservedName(username))
    throw invalidParameter(`The username ${username} could be mistaken for this service. Choose another.`, "username");
}

/**
 * Whether an account could get this name now. Throws as `createUser` does: 400 `invalid_parameter`, 409
 * `username_taken`.
 */
export async function checkUsername(username: string): Promise<void> {
  checkShape(username);
  refuseReserved(username);
  const where = { usernameKey: usernameKey(username) };
  const [user, retired] = await Promise.all([db.user.findUnique({ where }), db.retiredName.findUnique({ where })]);
  if (user || retired) throw usernameTaken(username);
}

const usernameTaken = (username: string) =>
  new ApiError(409, "username_taken", `The username ${username} is taken. Choose another.`, { field: "username" });

export const identityTaken = () =>
  new ApiError(409, "identity_taken", "That account is already connected to another user.");

/**
 * The action of the sign-up page: `createUser` if sign-up is open, rate-limited by network. Also throws 403
 * `signup_closed`, 429 `rate_limited` and 507 `storage_full`.
 */
export async function signUp(account: Account, { network, now }: NetworkContext): Promise<NewUser> {
  requireOpenSignUp();
  if (network.kind === "remote" || network.kind === "shared") {
    for (const limit of signUps) {
      const { allowed, retryAfter } = await limit.consume(limitedAs(network).id);
      if (!allowed) throw rateLimited(retryAfter, "Too many accounts were created from this network. Try again later.");
    }
  }
  await requireFreeSpace();
  return createUser({ ...account, network }, now);
}

/** Throws 403 `signup_closed` if only the operator creates accounts. */
export function requireOpenSignUp(): void {
  if (!env.ALLOW_SIGNUP)
    throw new ApiError(
      403,
      "signup_closed",
      "Sign-up is closed here. Ask the operator of this service for an account.",
    );
}

/** The hash of the user's password, or null if there is none. */
export async function passwordHashOf(userId: string): Promise<string | null> {
  const { passwordHash } = await db.user.findUniqueOrThrow({ where: { id: userId }, select: { passwordHash: true } });
  return passwordHash;
}

/**
 * The operator sets a password without knowing the former one, and signs the user out everywhere. Throws 404
 * `user_not_found`, 400 for a bad password.
 */
export async function setPassword(username: string, password: string, now = new Date()): Promise<void> {
  await checkPassword(password);
  const { id } = await findUser(username);
  const passwordHash = await hashPassword(password, BY_OPERATOR);
  await transaction(async (tx) => {
    await tx.user.update({ where: { id }, data: { passwordHash } });
    await keepKind(tx, id);
    await endWaysIn(tx, id);
    await audit({ at: now, action: "user.password", subjectId: id, actorId: OPERATOR, detail: { user: username } }, tx);
    await notify(tx, id, { kind: "password changed", now });
  }, "even on a full disk");
}

/**
 * Ends what else signs a user in, or would: sessions except the named one, links to recover the account, and an address
 * that is not yet verified. Lock the user first.
 */
export async function endWaysIn(tx: Statements, userId: string, exceptSessionId?: string): Promise<void> {
  await endSessions(tx, userId, exceptSessionId);
  await tx.recoveryLink.deleteMany({ where: { userId } });
  await forgetPending(tx, userId);
}

/** Signs a user out everywhere, except in the named session. */
export async function endSessions(statements: Statements, userId: string, exceptSessionId?: string): Promise<void> {
  await statements.session.deleteMany({
    where: { userId, NOT: exceptSessionId === undefined ? undefined : { id: exceptSessionId } },
  });
}
