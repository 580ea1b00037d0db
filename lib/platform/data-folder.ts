import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isMainThread } from "node:worker_threads";
import { env } from "./env";

/**
 * The embedded database's file in the data folder. SQLite and this service put other files beside it, whose names begin
 * with this one.
 */
export const DATABASE_FILE = "latchkey.db";

const REASONS: Record<string, string> = {
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "it is read-only there",
  ENOSPC: "its disk is full",
  EEXIST: "it is a file",
  ENOTDIR: "a file is in the way",
  ENOENT: "nothing can be created there",
};

/**
 * Creates the data folder if missing, readable by its owner only. Whatever the mode of an existing one, from now on
 * every file that this process creates is private to its owner. So are the database's files, which earlier versions
 * left open to others. Throws an Error whose message names DATA_DIR if the folder cannot be created. (Node's own
 * recursive mkdir never ends under /proc.)
 */
export function makeDataFolder(): void {
  // The umask belongs to the whole process, and only its main thread may set it.
  if (isMainThread) process.umask(0o077);
  try {
    makeFolder(resolve(env.DATA_DIR));
    closeToOthers(resolve(env.DATA_DIR));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    throw new Error(
      `DATA_DIR cannot be ${env.DATA_DIR}: ${REASONS[code] ?? code}. Set it to a folder that this user may write to.`,
    );
  }
}

/** Brings a file to the disk, or the names of the files in a folder, which Windows does by itself. */
export function bringToDisk(path: string): void {
  if (process.platform === "win32" && statSync(path).isDirectory()) return;
  const opened = openSync(path, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

function makeFolder(folder: string): void {
  const existing = statSync(folder, { throwIfNoEntry: false });
  if (existing?.isDirectory()) return;
  if (folder !== dirname(folder)) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another starting process created it first.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/**
 * The mode of a file or folder if others may read, write or enter it; 0 if it is private to its owner or does not
 * exist. Windows has no such modes.
 */
export function openMode(path: string): number {
  if (process.platform === "win32") return 0;
  const mode = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
  return mode & 0o077 ? mode : 0;
}

function closeToOthers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (!name.startsWith(DATABASE_FILE) || openMode(file) === 0) continue;
    try {
      chmodSync(file, 0o600);
    } catch (error) {
      // Another user's file, which the doctor reports; or one deleted meanwhile.
      if (!["EPERM", "ENOENT", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
  }
}
