import { env } from "@/lib/env";
import { db } from "./client";

/**
 * Moves SQLite's write-ahead log into the database and empties it: it goes on holding what was deleted or replaced since it was begun. Where
 * somebody reads from it just then, the next time is early enough. PostgreSQL keeps its own and recycles it.
 */
export async function emptyWriteAheadLog(): Promise<void> {
  if (!env.DATABASE_URL) await db.$queryRaw`PRAGMA wal_checkpoint(TRUNCATE)`;
}
