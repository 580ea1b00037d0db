import { open } from "node:fs/promises";
import type { Readable } from "node:stream";

const REASONS: Record<string, string> = {
  ENOENT: "there is none",
  EISDIR: "it is a folder",
  ENOTDIR: "there is none",
  EACCES: "this user may not",
  EPERM: "this user may not",
};

/** The bytes of a file, or of standard input for `-`. Throws an Error where the file cannot be read. */
export async function readable(path: string): Promise<Readable> {
  if (path === "-") return process.stdin;
  const file = await open(path).catch((error) => {
    throw unreadable(path, error);
  });
  if ((await file.stat()).isDirectory()) throw unreadable(path, { code: "EISDIR" });
  return file.createReadStream({ highWaterMark: 1 << 20 });
}

function unreadable(path: string, { code = "" }: NodeJS.ErrnoException | { code: string }): Error {
  return new Error(`The file ${path} cannot be read: ${REASONS[code] ?? code}.`);
}
