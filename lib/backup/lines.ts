import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";

const NEWLINE = 10;
/** Maximum bytes of a line. The longest one written has the content of a piece of files, which is half a megabyte. */
const LONGEST_LINE = 16_000_000;

/**
 * The lines of a gzipped file. Throws an Error if the file does not exist or is not gzipped, or if a line is too long
 * to be ours.
 */
export async function* linesOf(file: string): AsyncGenerator<Buffer> {
  const text = createGunzip({ chunkSize: 1 << 18 });
  // Failures are thrown where the text is read.
  pipeline(createReadStream(file, { highWaterMark: 1 << 18 }), text).catch(() => {});
  let begun: Buffer[] = [];
  let length = 0;
  let count = 1;
  try {
    for await (const chunk of text as AsyncIterable<Buffer>) {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
        yield Buffer.concat([...begun, chunk.subarray(from, end)]);
        count++;
        begun = [];
        length = 0;
        from = end + 1;
      }
      if (from < chunk.length) begun.push(chunk.subarray(from));
      length += chunk.length - from;
      if (length > LONGEST_LINE)
        throw new Error(`The backup ${file} was changed: its line ${count} is longer than any that Latchkey writes.`);
    }
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new Error(`There is no file ${file}.`);
    if (code.startsWith("Z_")) throw new Error(`The file ${file} is not a Latchkey backup, or it is cut off.`);
    throw error;
  }
  if (begun.length > 0) yield Buffer.concat(begun);
}
