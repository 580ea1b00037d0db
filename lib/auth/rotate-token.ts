import { audit } from "@/lib/audit";
import { db, type Statements, transactionOnFullDisk } from "@/lib/db/client";
import { mintToken, openToken } from "@/lib/tokens";

/** The user's token, to show it to its user. Showing it to anybody else is recorded in the audit trail. */
export async function revealToken(userId: string, actorId = userId, now = new Date()): Promise<string> {
  if (actorId !== userId) await audit({ at: now, action: "token.reveal", subjectId: userId, actorId });
  const { tokenSealed } = await db.user.findUniqueOrThrow({ where: { id: userId }, select: { tokenSealed: true } });
  return openToken(tokenSealed, userId);
}

/** Since when the user has this token. */
export async function tokenMadeAt(userId: string): Promise<Date> {
  const { tokenAt } = await db.user.findUniqueOrThrow({ where: { id: userId }, select: { tokenAt: true } });
  return tokenAt;
}

/**
 * Gives the user a new token and returns it. The old one stops working immediately, as do approved links that were not
 * collected yet.
 */
export function rotateToken(userId: string, actorId = userId, now = new Date()): Promise<string> {
  return transactionOnFullDisk((tx) => replaceToken(tx, userId, actorId, now));
}

/** The same within a transaction. */
export async function replaceToken(tx: Statements, userId: string, actorId: string, now: Date): Promise<string> {
  const { token, stored } = mintToken(userId);
  await tx.user.update({ where: { id: userId }, data: { ...stored, tokenAt: now } });
  await audit({ at: now, action: "token.rotate", subjectId: userId, actorId }, tx);
  return token;
}
