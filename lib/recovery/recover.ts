import { audit } from "@/lib/audit";
import { disconnectAll } from "@/lib/auth/identities";
import { hashedFor } from "@/lib/auth/password-limits";
import { checkPassword, hashPassword } from "@/lib/auth/passwords";
import { replaceToken } from "@/lib/auth/rotate-token";
import { endSessions } from "@/lib/auth/users";
import { type Statements, transactionOnFullDisk } from "@/lib/db/client";
import { isUniqueViolation } from "@/lib/db/errors";
import { lockUser } from "@/lib/db/lock";
import { removeAll } from "@/lib/mail/addresses";
import { forgetPending } from "@/lib/mail/forget-pending";
import { notify } from "@/lib/mail/outbox";
import type { Network } from "@/lib/network";
import { type NewPasskey, storeOneMore } from "@/lib/passkeys/add";
import { removeAllPasskeys } from "@/lib/passkeys/change";
import { passkeyKnown } from "@/lib/passkeys/errors";
import { keepKind } from "@/lib/user-kind";
import { findProven, type RecoveryProof, spendProof, unproven } from "./proof";

/** With what the user signs in from now on. With a passkey, no password works until one is set. */
export type NewWayIn = { password: string } | { passkey: NewPasskey };

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
export interface Recovered {
  id: string;
  username: string;
  passwordHash: string | null;
}

/**
 * Gives the user a new way in, and uses the proof up. The former password ends, and so do all sessions, open
 * links and, after a link, recovery codes. What is refused uses nothing up. Throws 400 for a bad password, 403
 * `passkey_limit`, 409 `passkey_known`, and as `findProven` does.
 */
export async function recover(
  proof: RecoveryProof,
  wayIn: NewWayIn,
  endings: Endings,
  network: Network,
  now = new Date(),
): Promise<Recovered> {
  if ("password" in wayIn) await checkPassword(wayIn.password);
  const user = await findProven(proof, network, now);
  const passwordHash = "password" in wayIn ? await hashPassword(wayIn.password, hashedFor({ network })) : null;
  try {
    await transactionOnFullDisk(async (tx) => {
      await lockUser(tx, user.id);
      const through = await spendProof(tx, user.id, proof, now);
      if (!(through && (await setPasswordUnlessDisabled(tx, user.id, passwordHash)))) throw unproven(proof);
      await keepKind(tx, user.id);
      await endSessions(tx, user.id);
      await tx.recoveryLink.deleteMany({ where: { userId: user.id } });
      await forgetPending(tx, user.id);
      // Who needs a link has none of the codes. Somebody else, who knew the password, may.
      if (proof.through === "link") await tx.recoveryCode.deleteMany({ where: { userId: user.id } });
      const detail = { through, set: passwordHash ? "password" : "passkey", network: network.id };
      await audit({ at: now, action: "recovery.use", subjectId: user.id, actorId: user.id, detail }, tx);
      await notify(tx, user.id, passwordHash ? "password changed" : "passkey added", { network: network.id }, now);
      if (endings.passkeys) await removeAllPasskeys(tx, user.id, now);
      if (endings.email && through !== "email") await removeAll(tx, user.id, user.id, now);
      if (endings.providers) await disconnectAll(tx, user.id, now);
      if ("passkey" in wayIn) await storeOneMore(tx, user.id, wayIn.passkey, now);
      if (endings.token) await replaceToken(tx, user.id, user.id, now);
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw passkeyKnown();
    throw error;
  }
  return { id: user.id, username: user.username, passwordHash };
}

async function setPasswordUnlessDisabled(tx: Statements, id: string, passwordHash: string | null): Promise<boolean> {
  return (await tx.user.updateMany({ where: { id, disabledAt: null }, data: { passwordHash } })).count === 1;
}
