import { configure, ZipWriter } from "@zip.js/zip.js/lib/zip-core-native.js";
import { streamOf } from "./http/response";

// By default, archives beyond the number of processors wait for others, even for one whose reader pauses.
configure({ maxWorkers: Number.MAX_SAFE_INTEGER, useWebWorkers: false });

/** A file or folder of an archive. */
export interface ZipPart {
  /** Relative, with "/" between folders. A folder's ends with it. */
  path: string;
  /** The content of a file. */
  bytes?: AsyncGenerator<Uint8Array>;
  /** Bytes of the content, if known. */
  size?: number;
  /** False for content that compressing does not make smaller. */
  compress?: boolean;
  edited?: Date;
}

/** Of content of unknown size, this much is read ahead: if it ends there, it is small. */
const READ_AHEAD = 256 * 1024;
/**
 * The most bytes for which an entry has sizes of 32 bits, which every reader knows: deflating may make it a little
 * larger. Before the content of another one is the ZIP64 field, so that who reads a stream knows how long the sizes
 * after it are (APPNOTE 6.3.10, section 4.3.9.2).
 */
const MAX_32_BITS = 4_000_000_000;
/** What the field of Unix seconds holds for every reader. */
const MAX_UNIX_MS = 0x7fff_ffff * 1_000;

/** Before 1970 and after 2038, an archive has the time of DOS alone, which is 1980 to 2107. */
const timesOf = (date: Date | undefined) => ({
  lastModDate: date,
  extendedTimestamp: date === undefined || (date.getTime() >= 0 && date.getTime() <= MAX_UNIX_MS),
});

/**
 * A ZIP archive, produced while being read, in constant memory but for some kilobytes for each part. Throws in the
 * middle rather than end early. A reader that stops ends the parts, too.
 */
export async function* zipOf(parts: AsyncIterable<ZipPart>): AsyncGenerator<Uint8Array> {
  let output: TransformStreamDefaultController<Uint8Array> | undefined;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    start(controller) {
      output = controller;
    },
  });
  const zip = new ZipWriter(writable, { keepOrder: true });
  let isOver = false;

  async function fill(): Promise<void> {
    for await (const { path, bytes, compress = true, edited, ...known } of parts) {
      if (isOver) return;
      const options = { ...timesOf(edited), ...(compress ? {} : { level: 0 }) };
      if (!bytes) {
        await zip.add(path, undefined, options);
        continue;
      }
      try {
        const { content, size } =
          known.size === undefined ? await readAhead(bytes) : { content: bytes, size: known.size };
        await zip.add(path, streamOf(content), { ...options, zip64: size > MAX_32_BITS });
      } finally {
        await bytes.return(undefined);
      }
    }
    await zip.close();
  }

  const filled = fill().catch((error) => output?.error(error));
  try {
    yield* readable;
  } finally {
    isOver = true;
    await filled;
  }
}

/** The same content, and its size if it is small. */
async function readAhead(bytes: AsyncGenerator<Uint8Array>) {
  const read: Uint8Array[] = [];
  async function* content() {
    yield* read;
    yield* bytes;
  }
  let size = 0;
  while (size <= READ_AHEAD) {
    const { done, value } = await bytes.next();
    if (done) return { content: content(), size };
    read.push(value);
    size += value.length;
  }
  return { content: content(), size: Number.POSITIVE_INFINITY };
}
