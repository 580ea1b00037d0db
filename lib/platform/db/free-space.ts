import { env } from "../env";
import { storageFull } from "../errors";
import { perProcess } from "../process";
import { db, sql } from "./client";
import { disk, type Space } from "./reserve";
import { integer, rowShape } from "./statement";

/** How long a result of the file system is reused. */
const REMEMBERED_MS = 1_000;
/** By default, this share of the disk stays free, up to the maximum below. */
const FREE_PART = 0.05;
const MAX_FREE_BYTES = 500_000_000;

/** The latest result for the disk. */
const latest = perProcess("free space", (): { cached?: { at: number; space: Promise<Space> } } => ({}));

const pages = rowShape({}, { bytes: integer("freelist_count * page_size") });
/** The free pages inside SQLite's file. */
const freePages = () => pages.from`pragma_freelist_count(), pragma_page_size()`;

/**
 * Throws 507 `storage_full` if less than `KEEP_FREE_BYTES` is left for the embedded database: files, new codes and new
 * accounts leave that much for all else. On PostgreSQL, the free space is unknown here.
 */
export async function requireFreeSpace(): Promise<void> {
  if (!(await hasFreeSpace())) throw storageFull();
}

/** Whether `requireFreeSpace` lets a change through. */
export async function hasFreeSpace(): Promise<boolean> {
  if (env.DATABASE_URL) return true;
  const { free, size } = await space();
  return free >= (env.KEEP_FREE_BYTES ?? Math.min(MAX_FREE_BYTES, size * FREE_PART));
}

/** Discards the cached result. */
export function forgetFreeSpace(): void {
  delete latest.cached;
}

function space(): Promise<Space> {
  const now = Date.now();
  const { cached } = latest;
  if (cached && Math.abs(now - cached.at) < REMEMBERED_MS) return cached.space;
  const reading = readSpace();
  reading.catch(forgetFreeSpace);
  latest.cached = { at: now, space: reading };
  return reading;
}

/** Deleted rows leave free pages inside the database file, which are reused before it grows. */
async function readSpace(): Promise<Space> {
  const [{ free, size }, [pages]] = await Promise.all([disk(), sql.read(freePages())]);
  return { free: free + (pages?.bytes ?? 0), size };
}

/**
 * Moves SQLite's write-ahead log into the database and empties it, because the log still contains deleted and replaced
 * data. If somebody is reading from it, the next sweep does it. PostgreSQL manages and recycles its own log.
 */
export async function emptyWriteAheadLog(): Promise<void> {
  if (!env.DATABASE_URL) await db.$queryRaw`PRAGMA wal_checkpoint(TRUNCATE)`;
}
