import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { env } from "./env";

const REASONS: Record<string, string> = {
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "it is read-only there",
  ENOSPC: "no room is left there",
  ENOTDIR: "a file is in the way",
  ENOENT: "nothing can be made there",
};

/**
 * Makes the data folder where there is none, readable by its owner only. Throws an Error whose message names DATA_DIR where that
 * cannot be done. (Node's own way to make the folders above it never ends under /proc.)
 */
export function makeDataFolder(): void {
  try {
    makeFolder(resolve(env.DATA_DIR));
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
