import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import { statfsSync, statSync, truncateSync } from "node:fs";
import { open, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DATABASE_FILE } from "../data-folder";
import { env } from "../env";
import { log } from "../log";
import { perProcess } from "../process";
import { FULL, isStorageFull } from "./errors";

/** More than SQLite's log (MAX_LOG_PAGES), which is moved into the database when the space is used, and a change. */
const MAX_BYTES = 24_000_000;
/** At most this share of a small disk. */
const DISK_PART = 1 / 8;
/** At most this share of the reserve is what the database grows by when the log is moved into it. */
const LOG_PART = 0.7;
/** A page of SQLite in its log (sqlite.org/fileformat2.html#walformat). */
const FRAME_BYTES = 4_096 + 24;
/** More than SQLite's default of 1,000: pages that change often are moved less often. */
const MAX_LOG_PAGES = 4_000;
/** Random, so that no file system can store it in less. */
const CHUNK = randomBytes(1_000_000);

/**
 * On a full disk, only deleting something helps, and SQLite first writes the pages that a deletion changes to its log.
 * KEEP_FREE_BYTES does not suffice for that, because others may fill the disk. So the space of a file is kept for it.
 * The pages that it frees stay in the database, for what is stored next.
 */
interface Reserve {
  /** How many changes are using the space now. */
  users: number;
  /** Whether the disk was full since the start: on Node.js 20, the context below slows every promise down. */
  isNeeded: boolean;
  /** What may use it: the change that runs in this context. */
  allowed: AsyncLocalStorage<true>;
  /**
   * Moves SQLite's log into the database, unless that grows by more than so many bytes; TRUNCATE: and empties it.
   * Returns how many bytes are free inside the database; undefined if the log was not moved.
   */
  moveLog: (bytes: number, how: "PASSIVE" | "TRUNCATE") => Promise<number | undefined>;
}

const reserve = perProcess(
  "reserve",
  (): Reserve => ({ users: 0, isNeeded: false, allowed: new AsyncLocalStorage(), moveLog: async () => undefined }),
);

const ENDING = "-reserve";
const file = () => join(env.DATA_DIR, `${DATABASE_FILE}${ENDING}`);

/** How the log is moved: by a connection that is opened elsewhere. */
export function moveLogBy(moveLog: Reserve["moveLog"]): void {
  reserve.moveLog = moveLog;
}

/** After how many pages SQLite should move its log into a database in this folder. */
export function maxLogPages(folder: string): number {
  const { blocks, bsize } = statfsSync(folder);
  return Math.min(MAX_LOG_PAGES, Math.floor((maxBytesOf(blocks * bsize) * LOG_PART) / FRAME_BYTES));
}

const maxBytesOf = (disk: number) => Math.min(MAX_BYTES, Math.floor(disk * DISK_PART));

/** What SQLite may need to open a database: its log, and the file beside it, of 32 KB. */
const [OPENING_BYTES, SHM_BYTES] = [256_000, 32_768];

/** Gives up some of the reserve if SQLite could not even open the database, because its disk is full. */
export function makeSpaceToOpen(database: string): void {
  const bytes = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const { bavail, bsize } = statfsSync(dirname(database));
  const reserved = `${database}${ENDING}`;
  if (bavail * bsize < OPENING_BYTES && bytes(`${database}-shm`) < SHM_BYTES && bytes(reserved) > 0)
    truncateSync(reserved, Math.max(0, bytes(reserved) - OPENING_BYTES));
}

/**
 * Runs work that frees space, or that people need in order to free some (signing in), or that stops others (signing
 * out): where the disk of the embedded database is full, its changes get the space of a file that is reserved for them.
 * The first time since the start, it is run again for that.
 */
export async function evenOnFullDisk<T>(work: () => Promise<T>): Promise<T> {
  if (!reserve.isNeeded)
    try {
      return await work();
    } catch (error) {
      if (env.DATABASE_URL || !isStorageFull(error)) throw error;
      reserve.isNeeded = true;
    }
  return reserve.allowed.run(true, work);
}

/** Throws if this change would use the space of one that is using it now. */
export function refuseWhileInUse(): void {
  if (reserve.users > 0 && !reserve.allowed.getStore())
    throw Object.assign(new Error("The room on the disk is reserved for deletions."), { code: FULL });
}

/**
 * Runs a change again that failed with `error`, if it was for lack of space: once the log starts over, if the database
 * need not grow for that; then, where `evenOnFullDisk` allows it, with the reserve's space. What is left of that, and
 * what the log used, is reserved again. Else throws the error.
 */
export async function despiteFullDisk<T>(error: unknown, change: () => Promise<T>): Promise<T> {
  if (env.DATABASE_URL || !isStorageFull(error)) throw error;
  reserve.isNeeded = true;
  if ((await startLogOver("PASSIVE")) !== undefined)
    try {
      return await change();
    } catch (again) {
      if (!isStorageFull(again)) throw again;
    }
  if (!reserve.allowed.getStore()) throw error;
  reserve.users++;
  const had = await bytesOf(file());
  try {
    if (had > 0) await release();
    return await change();
  } finally {
    if (reserve.users === 1) {
      const freed = (await startLogOver("TRUNCATE")) ?? 0;
      // To use what is free inside the database, other changes need space in the log.
      const max = maxBytesOf((await disk()).size);
      await fillReserve(Math.min(had, max - Math.min(freed, max / 2)));
    }
    reserve.users--;
  }
}

const startLogOver = async (how: "PASSIVE" | "TRUNCATE") =>
  reserve.moveLog((await disk()).free, how).catch(() => undefined);

/**
 * Creates the reserve, or extends it, where the disk has twice the space; up to `had` bytes in any case. A disk that
 * is full meanwhile, or cannot be written to, is not reported: the change that needs the space will report it.
 */
export async function fillReserve(had = 0): Promise<void> {
  if (env.DATABASE_URL) return;
  try {
    const [{ free, size: total }, has] = await Promise.all([disk(), bytesOf(file())]);
    const target = Math.min(maxBytesOf(total), Math.max(had, has + Math.floor((free - has) / 2)));
    if (target <= has) return;
    const opened = await open(file(), "a");
    try {
      for (let size = has; size < target; size += CHUNK.length)
        await opened.appendFile(CHUNK.subarray(0, Math.min(CHUNK.length, target - size)));
      await opened.sync();
    } finally {
      await opened.close();
    }
  } catch (error) {
    if (!isStorageFull(error)) log.warn({ err: error }, "no room on the disk can be reserved for deletions");
  }
}

async function release(): Promise<void> {
  log.warn("no room is left on the disk of DATA_DIR: what was reserved is used for a change that makes room");
  const opened = await open(file(), "r+");
  try {
    await opened.truncate();
    // A file system may free the blocks only then.
    await opened.sync();
  } finally {
    await opened.close();
  }
}

/** Bytes of a disk. */
export interface Space {
  free: number;
  size: number;
}

/** The disk of the data folder. */
export async function disk(): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(env.DATA_DIR);
  return { free: bavail * bsize, size: blocks * bsize };
}

/** The size of a file; 0 if there is none. */
export const bytesOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
