import { chmodSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isMainThread } from "node:worker_threads";
import { env } from "./env";

/** The embedded database's file in the data folder; SQLite and ourselves put others beside it, whose names begin with this one. */
export const DATABASE_FILE = "latchkey.db";

const REASONS: Record<string, string> = {
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "it is read-only there",
  ENOSPC: "no room is left there",
  ENOTDIR: "a file is in the way",
  ENOENT: "nothing can be made there",
};

/**
 * Makes the data folder where there is none, readable by its owner only. Whatever the mode of one that is there: from now on every
 * file that this process makes is its owner's alone, and so are the database's own, which earlier versions left open to others. Throws
 * an Error whose message names DATA_DIR where the folder cannot be made. (Node's own way to make the folders above it never ends under /proc.)
 */
export function makeDataFolder(): void {
  // The mask belongs to the whole process, and only its first thread may set it.
  if (isMainThread) process.umask(0o077);
  try {
    makeFolder(resolve(env.DATA_DIR));
    closeToOthers(resolve(env.DATA_DIR));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    throw new Error(`DATA_DIR cannot be ${env.DATA_DIR}: ${REASONS[code] ?? code}. Set it to a folder that this user may write to.`);
  }
}

function makeFolder(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (folder !== dirname(folder)) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process that starts made it first.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** The mode of a file or folder, where others may read, write or enter it; 0 where it is its owner's alone, or is not there. Windows has no such modes. */
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
      // Another user's file, which the doctor names; or one that went meanwhile.
      if (!["EPERM", "ENOENT", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
  }
}
