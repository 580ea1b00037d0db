import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates a folder, and those around it, unless they exist. One by one, because Node's own recursive way never ends in
 * some places where nothing can be created. Throws the system's error.
 */
export function makeFolder(path: string, mode?: number): void {
  const isThere = () => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isThere()) return;
  if (dirname(path) !== path) makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process was faster.
    if (!isThere()) throw error;
  }
}
