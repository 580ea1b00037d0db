import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  statfsSync,
  statSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isMainThread } from "node:worker_threads";
import { env } from "./env";

/**
 * The embedded database's file in the data folder. SQLite and this service put other files beside it, whose names begin
 * with this one.
 */
export const DATABASE_FILE = "latchkey.db";

/** The secret that the service creates if it is given none. */
export const SECRET_FILE = "secret";

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
 * left open to others. Throws an Error whose message names DATA_DIR if the folder cannot be created, or written to.
 * (Node's own recursive mkdir never ends under /proc.)
 */
export function makeDataFolder(): void {
  // The umask belongs to the whole process, and only its main thread may set it.
  if (isMainThread) process.umask(0o077);
  const folder = resolve(env.DATA_DIR);
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
    closeToOthers(folder);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    const advice = /^E(?:ACCES|PERM)$/.test(code) ? howToOwnIt() : "";
    throw new Error(
      `DATA_DIR cannot be ${env.DATA_DIR}: ${REASONS[code] ?? code}. ` +
        (advice || "Set it to a folder that this user may write to."),
    );
  }
}

/**
 * What gives this user the data folder, as a sentence, if that is missing, or it or a file of ours in it is another
 * user's; "" otherwise. Docker creates a folder that it mounts as root; so does a start with sudo.
 */
export function howToOwnIt(): string {
  const [folder, own] = [resolve(env.DATA_DIR), process.getuid?.()];
  if (own === undefined) return "";
  if (!existsSync(folder)) return `Create it for this user: install -d -o ${own} -m 700 ${folder}.`;
  const foreign = [folder, ...ownFiles(folder)].find((path) => ownerOf(path) !== own);
  return foreign === undefined
    ? ""
    : `${foreign} belongs to the user ${ownerOf(foreign)}, and this process runs as ${own}: chown -R ${own} ` +
        `${folder} (with Docker, the folder of the machine that is mounted there).`;
}

const ownerOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.uid ?? process.getuid?.();

/** The database's files and the secret. */
function ownFiles(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.startsWith(DATABASE_FILE) || name === SECRET_FILE);
    return names.map((name) => join(folder, name));
  } catch {
    // This user may not look into it.
    return [];
  }
}

/** Linux's numbers of file systems whose files are on another machine, or may be. */
const SHARED = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "SMB"],
  [0xfe534d42, "SMB"],
  [0x01021997, "9p (a folder of Windows, or of a virtual machine's host)"],
  [0x65735546, "FUSE (sshfs, or another network share)"],
  [0x00c36400, "Ceph"],
  [0x786f4256, "VirtualBox"],
  [0xbacbacbc, "VMware"],
]);

/**
 * Why SQLite may not work in the data folder, as a sentence; undefined if its file system is none of those whose locks
 * and shared memory fail, or other machines do not see.
 */
export function unfitFileSystem(): string | undefined {
  let type = 0;
  try {
    // Some numbers are negative in Node.
    type = statfsSync(resolve(env.DATA_DIR)).type >>> 0;
  } catch {
    // Of a folder that is not there, nothing is known.
  }
  const name = process.platform === "linux" ? SHARED.get(type) : undefined;
  return (
    name &&
    `DATA_DIR (${env.DATA_DIR}) is on ${name}, where SQLite may hang, fail, or be damaged: set DATA_DIR to a folder ` +
      "on a disk of this machine, or DATABASE_URL to a PostgreSQL server."
  );
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

/**
 * Whether this user can close a file or folder to others: not that of another user, a read-only one, nor on a file
 * system that keeps no modes (Windows folders in WSL and Docker, SMB, exFAT), where chmod does nothing.
 */
export function canClose(path: string): boolean {
  const { mode } = statSync(path);
  try {
    chmodSync(path, mode & 0o700);
    const isClosed = openMode(path) === 0;
    chmodSync(path, mode & 0o777);
    return isClosed;
  } catch {
    return false;
  }
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
