import { audit } from "@/lib/platform/audit";
import { db, type Statements, transaction } from "@/lib/platform/db/client";
import { isUniqueViolation } from "@/lib/platform/db/errors";
import { lockUser } from "@/lib/platform/db/lock";
import type { ApiError } from "@/lib/platform/errors";
import type { NetworkContext } from "../../context";
import { passkeyRegistered } from "../../errors";
import { replaceToken } from "../../identity/token";
import { keepKind } from "../../identity/user";
import { endWaysIn } from "../end";
import { disconnectAll } from "../identities";
import { hashedFor } from "../limits";
import { removeAll } from "../mail/addresses";
import { notify } from "../mail/outbox";
import { badLink, isOpenLink } from "../one-time-link";
import { type NewPasskey, storeAnotherPasskey } from "../passkeys/add";
import { removeAllPasskeys } from "../passkeys/remove";
import { checkPassword, hashPassword } from "../passwords";
import { consumeCode, findCodeOwner, wrongCode } from "./codes";
import { consumeRecoveryLink, findRecoveryLink } from "./links";

/** Which ways back a user has: recovery codes that are left, and an operator's link; never their secrets. */
interface RecoveryOverview {
  codes: { left: number; createdAt: Date | null };
  link: { createdAt: Date; expiresAt: Date } | null;
}

/** The user's ways back. */
export async function recoveryOf(userId: string, now = new Date()): Promise<RecoveryOverview> {
  const [codes, link] = await Promise.all([
    db.recoveryCode.aggregate({ where: { userId }, _count: true, _max: { createdAt: true } }),
    db.recoveryLink.findUnique({
      where: { userId_through: { userId, through: "operator" }, ...isOpenLink(now) },
      select: { createdAt: true, expiresAt: true },
    }),
  ]);
  return { codes: { left: codes._count, createdAt: codes._max.createdAt }, link };
}

/** What shows whose account it is without a password or a passkey: a link, or a recovery code. */
export type RecoveryProof = { through: "link"; secret: string } | { through: "code"; username: string; code: string };

/** A user who cannot sign in, but has shown who they are. */
export interface ProvenUser {
  id: string;
  username: string;
  /** How the proof came to the user. */
  through: "code" | "link" | "email";
}

/** Whose proof this is; changes nothing. Throws 404 `bad_link`, 401 `wrong_code` and 429 `rate_limited`. */
export function findProven(proof: RecoveryProof, context: NetworkContext): Promise<ProvenUser> {
  return proof.through === "link"
    ? findRecoveryLink(proof.secret, context)
    : findCodeOwner(proof.username, proof.code, context);
}

/**
 * Uses the proof up. Returns how it came to its user, or null if it is not there, or no longer. Of several uses, in any
 * process, one gets it.
 */
async function consumeProof(
  tx: Statements,
  userId: string,
  { proof, now }: { proof: RecoveryProof; now: Date },
): Promise<ProvenUser["through"] | null> {
  if (proof.through === "link") return consumeRecoveryLink(tx, userId, { secret: proof.secret, now });
  return (await consumeCode(tx, userId, proof.code)) ? "code" : null;
}

/** The response to what proves nothing, whatever the reason. */
const unproven = (proof: RecoveryProof): ApiError => (proof.through === "link" ? badLink() : wrongCode());

/** With what the user signs in from now on. With a passkey, no password works until one is set. */
export type NewSignInMethod = { password: string } | { passkey: NewPasskey };

/** What else ends. */
export interface Endings {
  /** The passkeys so far. */
  passkeys: boolean;
  /** The providers so far. */
  providers: boolean;
  /** The verified e-mail address, unless the proof came through it. */
  email: boolean;
  /** The account's token: the user gets a new one. */
  token: boolean;
}

/** An account whose user is back, with the hash of the new password; null: there is none. */
interface Recovered {
  id: string;
  username: string;
  passwordHash: string | null;
}

/**
 * Gives the user a new sign-in method, and uses the proof up. The former password ends, and so do all sessions, open
 * links and, after a link, recovery codes. What is refused uses nothing up. Throws 400 for a bad password, 403
 * `passkey_limit`, 409 `passkey_known`, and as `findProven` does.
 */
export async function recover(
  proof: RecoveryProof,
  { signInMethod, endings }: { signInMethod: NewSignInMethod; endings: Endings },
  { network, now = new Date() }: NetworkContext,
): Promise<Recovered> {
  if ("password" in signInMethod) await checkPassword(signInMethod.password);
  const user = await findProven(proof, { network, now });
  const passwordHash =
    "password" in signInMethod ? await hashPassword(signInMethod.password, hashedFor({ network })) : null;
  try {
    await transaction(async (tx) => {
      await lockUser(tx, user.id);
      const through = await consumeProof(tx, user.id, { proof, now });
      if (!(through && (await setPasswordUnlessDisabled(tx, user.id, passwordHash)))) throw unproven(proof);
      await keepKind(tx, user.id);
      await endWaysIn(tx, user.id);
      // Who needs a link has none of the codes. Somebody else, who knew the password, may.
      if (proof.through === "link") await tx.recoveryCode.deleteMany({ where: { userId: user.id } });
      const detail = { through, set: passwordHash ? "password" : "passkey", network: network.id };
      await audit({ at: now, action: "recovery.use", subjectId: user.id, actorId: user.id, detail }, tx);
      await notify(tx, user.id, { kind: passwordHash ? "password changed" : "passkey added", network, now });
      if (endings.passkeys) await removeAllPasskeys(tx, user.id, now);
      if (endings.email && through !== "email") await removeAll(tx, user.id, { now });
      if (endings.providers) await disconnectAll(tx, user.id, now);
      if ("passkey" in signInMethod) await storeAnotherPasskey(tx, user.id, { passkey: signInMethod.passkey, now });
      if (endings.token) await replaceToken(tx, user.id, { now });
    }, "even on a full disk");
  } catch (error) {
    if (isUniqueViolation(error)) throw passkeyRegistered();
    throw error;
  }
  return { id: user.id, username: user.username, passwordHash };
}

async function setPasswordUnlessDisabled(tx: Statements, id: string, passwordHash: string | null): Promise<boolean> {
  return (await tx.user.updateMany({ where: { id, disabledAt: null }, data: { passwordHash } })).count === 1;
}
