import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SmallDisk {
  variables: Record<string, string>;
  dataFolder: string;
  fill(): void;
  free(): void;
  remove(): void;
}

type SmallDiskKind = keyof typeof makers;

const MB = 1_000_000;
const DISK_BYTES = 48 * MB;
const BLOCK = Buffer.alloc(MB);

const makers = { "a file system without room": fileSystem, "a database that may not grow": pageLimit };

export const smallDisk = (kind: SmallDiskKind): SmallDisk =>
  makers[kind](mkdtempSync(join(tmpdir(), "latchkey-small-disk-")));

/** The kinds available on this machine: only root may mount a file system. */
export const smallDiskKinds: SmallDiskKind[] = canMount()
  ? ["a file system without room", "a database that may not grow"]
  : ["a database that may not grow"];

export type SmallFolder = Pick<SmallDisk, "fill" | "free" | "remove">;

/** Puts an in-memory file system of so many bytes at `folder`; one file fills it completely. Only root may do that. */
export function smallFolder(folder: string, bytes: number): SmallFolder {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", folder]);
  const ballast = join(folder, "ballast");
  return {
    fill() {
      const { bavail, bsize } = statfsSync(folder);
      // Most of it without writing, which would hold up this process; the rest as it is, because others write too.
      const most = bavail * bsize - 32 * MB;
      if (most > 0) execFileSync("fallocate", ["-l", String(most), ballast]);
      const file = openSync(ballast, "a");
      try {
        for (;;) writeSync(file, BLOCK);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(ballast),
    remove() {
      execFileSync("umount", ["-l", folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

function fileSystem(folder: string): SmallDisk {
  const dataFolder = join(folder, "data");
  return { ...smallFolder(folder, DISK_BYTES), variables: { DATA_DIR: dataFolder }, dataFolder };
}

/** SQLite may not grow its file, because of a module that the service's process loads first. */
function pageLimit(folder: string): SmallDisk {
  const mark = join(folder, "full");
  const dataFolder = join(folder, "data");
  const first = "--import ./tests/support/page-limit.mjs";
  return {
    variables: { DATA_DIR: dataFolder, FULL_WHILE_THERE_IS: mark, NODE_OPTIONS: first },
    dataFolder,
    fill: () => mkdirSync(mark),
    free: () => rmSync(mark, { recursive: true }),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** Whether this machine lets us mount a file system: only root may. */
export function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-small-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=4096", "tmpfs", folder], { stdio: "ignore" });
    execFileSync("umount", [folder], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
