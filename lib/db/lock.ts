import { latestNow } from "@/lib/hours";
import type { Statements } from "./client";
import { type SqlChange, sqlChange } from "./statement";

/**
 * Serialises the transactions that lock the same row, so that a count stays true until the commit. An update that
 * changes nothing is the only row lock that both databases have. It writes no row if there is none. To avoid deadlocks,
 * lock a key before a user.
 */
export const rowLock = {
  key: (id: string): SqlChange => sqlChange`UPDATE "Key" SET "id" = "id" WHERE "id" = ${id}`,
  accessToken: (id: string): SqlChange => sqlChange`UPDATE "AccessToken" SET "id" = "id" WHERE "id" = ${id}`,
  user: (id: string): SqlChange => sqlChange`UPDATE "User" SET "id" = "id" WHERE "id" = ${id}`,
};

/** The same in a transaction of Prisma's client. Returns false if there is no such row. */
export async function lockKey(tx: Statements, id: string): Promise<boolean> {
  return (await tx.key.updateMany({ where: { id }, data: { id } })).count === 1;
}

/** See `lockKey`. */
export async function lockUser(tx: Statements, id: string): Promise<boolean> {
  return (await tx.user.updateMany({ where: { id }, data: { id } })).count === 1;
}

/** Sessions that are neither over, nor from before the clock was set back, nor of a disabled account. */
export const openAt = (now: Date) => ({
  createdAt: { lte: latestNow(now) },
  expiresAt: { gt: now },
  user: { disabledAt: null },
});

/**
 * Locks the user. Returns false unless the session is still open. Whatever gives somebody a way in checks this in its
 * own transaction: otherwise it could come after a recovery that ended all of them.
 */
export async function lockSession(
  tx: Statements,
  { id: userId, sessionId: id }: { id: string; sessionId: string },
  now: Date,
): Promise<boolean> {
  await lockUser(tx, userId);
  return (await tx.session.count({ where: { id, userId, ...openAt(now) } })) === 1;
}
