import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";

const NEWLINE = 10;
/** Bytes of one line. The longest that is written has the content of a piece of files, which is half a megabyte. */
const LONGEST_LINE = 16_000_000;

/** The lines of a gzipped file. Throws an Error where it is not there, or is none, or a line is too long to be one of ours. */
export async function* linesOf(file: string): AsyncGenerator<Buffer> {
  const text = createGunzip({ chunkSize: 1 << 18 });
  // What fails is thrown where the text is read.
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
      if (length > LONGEST_LINE) throw new Error(`The backup ${file} was changed: its line ${count} is longer than any that Latchkey writes.`);
    }
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new Error(`There is no file ${file}.`);
    if (code.startsWith("Z_")) throw new Error(`The file ${file} is no backup of Latchkey, or it is cut off.`);
    throw error;
  }
  if (begun.length > 0) yield Buffer.concat(begun);
}
