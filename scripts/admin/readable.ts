import { open } from "node:fs/promises";

const REASONS: Record<string, string> = {
  ENOENT: "it does not exist",
  EISDIR: "it is a folder",
  ENOTDIR: "it does not exist",
  EACCES: "permission denied",
  EPERM: "permission denied",
};

/**
 * The bytes of a file, or of standard input for `-`. `onProgress` gets the share read so far, from 0 to 1. Throws an
 * Error if the file cannot be read.
 */
export async function readable(path: string, onProgress: (part: number) => void): Promise<AsyncIterable<Uint8Array>> {
  if (path === "-") return process.stdin;
  const file = await open(path).catch((error) => {
    throw unreadable(path, error);
  });
  const about = await file.stat();
  if (about.isDirectory()) throw unreadable(path, { code: "EISDIR" });
  return counted(file.createReadStream({ highWaterMark: 1 << 20 }), about.size, onProgress);
}

async function* counted(chunks: AsyncIterable<Buffer>, bytes: number, onProgress: (part: number) => void) {
  let read = 0;
  for await (const chunk of chunks) {
    read += chunk.length;
    onProgress(read / bytes);
    yield chunk;
  }
}

function unreadable(path: string, { code = "" }: NodeJS.ErrnoException | { code: string }): Error {
  return new Error(`The file ${path} cannot be read: ${REASONS[code] ?? code}.`);
}
