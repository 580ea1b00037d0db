import type { SqlStatements } from "./client";

/**
 * Makes the transactions that call this for the same row wait for one another, so that a count stays true until the commit.
 * An update that changes nothing is the one row lock that both databases have. False where there is no such row.
 * To stay free of deadlocks, lock a key before a user.
 */
export async function lockKey(tx: SqlStatements, id: string): Promise<boolean> {
  return (await tx.$executeRaw`UPDATE "Key" SET "id" = "id" WHERE "id" = ${id}`) === 1;
}

/** See `lockKey`. */
export async function lockUser(tx: SqlStatements, id: string): Promise<boolean> {
  return (await tx.$executeRaw`UPDATE "User" SET "id" = "id" WHERE "id" = ${id}`) === 1;
}
