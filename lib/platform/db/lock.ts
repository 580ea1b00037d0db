import { latestNow } from "../time";
import { type Statements, transaction } from "./client";
import { isMissingReference } from "./errors";
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

/** Rows that a sweep removes or changes in one statement, so that other statements need not wait long. */
export const BATCH = 500;

/**
 * Repeats `step`, which handles at most `BATCH` rows and returns their number, until it handles fewer. Returns the
 * total.
 */
export async function inBatches(step: () => Promise<number>): Promise<number> {
  for (let sum = 0; ; ) {
    const count = await step();
    sum += count;
    if (count < BATCH) return sum;
  }
}

/** Deletes rows in small transactions, in each of which `work` deletes `limit` at most. Returns how many. */
export const deleteInBatches = (work: (tx: Statements, limit: number) => Promise<{ count: number }>): Promise<number> =>
  inBatches(async () => (await transaction((tx) => work(tx, BATCH))).count);

const MAX_ATTEMPTS = 10;

/** Repeats work that met a row, such as a user's, that was deleted meanwhile: the work no longer finds it then. */
export async function despiteDeletions<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isMissingReference(error)) throw error;
    }
  }
}
