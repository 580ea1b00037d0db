import { nameKey, nextFreeName } from "@/lib/access-tokens/name";
import { audit } from "@/lib/audit";
import { type Statements, transaction } from "@/lib/db/client";
import { isUniqueViolation } from "@/lib/db/errors";
import { lockSession, lockUser } from "@/lib/db/lock";
import { ApiError, signedOut } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { type DoneFrom, notify } from "@/lib/mail/outbox";
import { type AnsweredChallenge, spendChallenge } from "./challenge";
import { passkeyKnown } from "./errors";

export const MOST_PASSKEYS = 20;

/** A passkey that its browser has just created, verified. */
export interface NewPasskey {
  credentialId: string;
  host: string;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: bigint;
  transports: string;
  /** Of the authenticator, where it is known. */
  name: string;
  challenge: AnsweredChallenge;
}

/** Stores a new passkey within a transaction, and records it. Returns its name. */
export async function storePasskey(tx: Statements, userId: string, passkey: NewPasskey, now: Date): Promise<string> {
  const { challenge, ...columns } = passkey;
  await spendChallenge(tx, challenge);
  const others = await tx.passkey.findMany({ where: { userId }, select: { name: true }, take: MOST_PASSKEYS });
  const name = nextFreeName(passkey.name, new Set(others.map((other) => nameKey(other.name))));
  await tx.passkey.create({ data: { ...columns, id: newId(), userId, name, createdAt: now } });
  await audit({ at: now, action: "passkey.add", subjectId: userId, actorId: userId, detail: { name } }, tx);
  return name;
}

/** The same, if the account may have one more. Lock the user first. Also throws 403 `passkey_limit`. */
export async function storeOneMore(tx: Statements, userId: string, passkey: NewPasskey, now: Date): Promise<string> {
  if ((await tx.passkey.count({ where: { userId } })) >= MOST_PASSKEYS)
    throw new ApiError(
      403,
      "passkey_limit",
      `An account can have ${MOST_PASSKEYS} passkeys at most. Remove one that you no longer use.`,
    );
  return storePasskey(tx, userId, passkey, now);
}

/**
 * Adds a passkey to an account. Returns its name. The session in `from` must still be open: 401 `signed_out`. Also
 * throws 403 `passkey_limit`, 409 `passkey_known`, and 401 `passkey_expired` if it was added already.
 */
export async function addPasskey(
  userId: string,
  passkey: NewPasskey,
  now = new Date(),
  from: DoneFrom = {},
): Promise<string> {
  try {
    return await transaction(async (tx) => {
      if (from.sessionId === undefined) await lockUser(tx, userId);
      else if (!(await lockSession(tx, { id: userId, sessionId: from.sessionId }, now))) throw signedOut();
      await notify(tx, userId, "passkey added", from, now);
      return storeOneMore(tx, userId, passkey, now);
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw passkeyKnown();
    throw error;
  }
}
