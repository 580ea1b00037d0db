import { statfs } from "node:fs/promises";
import { sql } from "@/lib/db/client";
import { env } from "@/lib/env";
import { storageFull } from "@/lib/errors";

/** For so long an answer of the file system counts. */
const REMEMBERED_MS = 1_000;
/** Where no other amount is set, so much of the disk stays free, and never more than this. */
const FREE_PART = 0.05;
const MOST_FREE_BYTES = 500_000_000;

/** What the disk had when it was asked last, by this process, not by each copy of this module. */
const perProcess = globalThis as typeof globalThis & { latchkeyFree?: { at: number; asked: Promise<Space> } };

interface Space {
  free: number;
  size: number;
}

/**
 * Throws 507 `storage_full` where less room than `KEEP_FREE_BYTES` is left for the embedded database: files leave that much for keys,
 * links and sessions. On PostgreSQL nobody here knows how much room there is.
 */
export async function leaveRoom(): Promise<void> {
  if (env.DATABASE_URL) return;
  const { free, size } = await space();
  const kept = env.KEEP_FREE_BYTES ?? Math.min(MOST_FREE_BYTES, size * FREE_PART);
  if (free < kept) throw storageFull();
}

/** The next one who asks is told what the disk says then. */
export function forgetFreeSpace(): void {
  delete perProcess.latchkeyFree;
}

function space(): Promise<Space> {
  const now = Date.now();
  const known = perProcess.latchkeyFree;
  if (known && Math.abs(now - known.at) < REMEMBERED_MS) return known.asked;
  const asked = ask();
  asked.catch(forgetFreeSpace);
  perProcess.latchkeyFree = { at: now, asked };
  return asked;
}

/** What was deleted leaves pages inside the database's file, which are written again before that grows. */
async function ask(): Promise<Space> {
  const [{ bavail, blocks, bsize }, [pages]] = await Promise.all([
    statfs(env.DATA_DIR),
    sql.$queryRaw<{ free: number | bigint }[]>`SELECT freelist_count * page_size AS "free" FROM pragma_freelist_count(), pragma_page_size()`,
  ]);
  return { free: bavail * bsize + Number(pages?.free ?? 0), size: blocks * bsize };
}
