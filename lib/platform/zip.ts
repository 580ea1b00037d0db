import { type PassThrough, Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { ZipFile } from "yazl";

/** Up to this size, the bytes of a part are buffered. */
const CHUNK = 64 * 1024;

/** A file or folder of an archive. */
export interface ZipPart {
  /** Relative, with "/" between folders. A folder's ends with it. */
  path: string;
  /** The content of a file. */
  bytes?: AsyncIterable<Uint8Array>;
  /** False for content that compressing does not make smaller. */
  compress?: boolean;
  edited?: Date;
}

/**
 * A ZIP archive, produced while being read, in constant memory but for some hundred bytes for each part. Throws in the
 * middle rather than end early. A reader that stops ends the parts, too.
 */
export async function* zipOf(parts: AsyncIterable<ZipPart>): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  let open: Readable | undefined;
  let isOver = false;

  async function fill(): Promise<void> {
    for await (const { path, bytes, compress = true, edited: mtime } of parts) {
      if (isOver) return;
      if (!bytes) {
        zip.addEmptyDirectory(path, { mtime });
        continue;
      }
      open = Readable.from(bytes, { objectMode: false, highWaterMark: CHUNK });
      zip.addReadStream(open, path, { mtime, compress });
      // The next one is produced when this one has been read.
      await finished(open);
    }
    zip.end();
  }

  zip.on("error", (error) => output.destroy(error as Error));
  const filled = fill().catch((error) => void output.destroy(error));
  try {
    yield* output;
  } finally {
    isOver = true;
    open?.destroy();
    output.destroy();
    await filled;
  }
}
