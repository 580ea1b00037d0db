import { env } from "@/lib/env";
import { db } from "./client";

/**
 * Moves SQLite's write-ahead log into the database and empties it, because the log still contains deleted and replaced
 * data. If somebody is reading from it, the next sweep does it. PostgreSQL manages and recycles its own log.
 */
export async function emptyWriteAheadLog(): Promise<void> {
  if (!env.DATABASE_URL) await db.$queryRaw`PRAGMA wal_checkpoint(TRUNCATE)`;
}
