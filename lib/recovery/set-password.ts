import { audit } from "@/lib/audit";
import { replaceToken } from "@/lib/auth/rotate-token";
import { endSessions } from "@/lib/auth/users";
import type { Statements } from "@/lib/db/client";
import { notify } from "@/lib/mail/outbox";
import type { Network } from "@/lib/network";

/** How a user who cannot sign in comes back. */
export interface Recovery {
  through: "link" | "email" | "code";
  network: Network;
  /** The user also gets a new token. */
  alsoToken: boolean;
}

/** An account whose user is back, with the hash of the new password. */
export interface Recovered {
  id: string;
  username: string;
  passwordHash: string;
}

/**
 * Gives the user a new password, and signs them out everywhere. Ends open recovery links. Returns false for a
 * disabled account, which is left as it is.
 */
export async function setRecoveredPassword(
  tx: Statements,
  userId: string,
  passwordHash: string,
  { through, network, alsoToken }: Recovery,
  now: Date,
): Promise<boolean> {
  const { count } = await tx.user.updateMany({ where: { id: userId, disabledAt: null }, data: { passwordHash } });
  if (count === 0) return false;
  await endSessions(tx, userId);
  await tx.recoveryLink.deleteMany({ where: { userId } });
  const detail = { through, network: network.id };
  await audit({ at: now, action: "recovery.use", subjectId: userId, actorId: userId, detail }, tx);
  await notify(tx, userId, "password changed", { network: network.id }, now);
  if (alsoToken) await replaceToken(tx, userId, userId, now);
  return true;
}
