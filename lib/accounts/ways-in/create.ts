import { audit, OPERATOR } from "@/lib/platform/audit";
import { MAX_USERNAME, MIN_USERNAME } from "@/lib/platform/bounds";
import { mintToken } from "@/lib/platform/crypto/tokens";
import { db, type Statements, transaction } from "@/lib/platform/db/client";
import { isUniqueViolation } from "@/lib/platform/db/errors";
import { ApiError, invalidParameter } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";
import type { Network } from "@/lib/platform/network/network";
import { identityTaken } from "../errors";
import { isReservedName } from "../identity/reserved-names";
import { keepKind, type ProviderIdentity, USERNAME, usernameKey } from "../identity/user";
import { hashedFor } from "./limits";
import { type NewPasskey, storePasskey } from "./passkeys/add";
import { BY_OPERATOR, checkPassword, hashPassword } from "./passwords";

export interface NewUser {
  id: string;
  username: string;
  token: string;
}

/** What an account is created with. */
export interface Account {
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
