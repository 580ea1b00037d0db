import { promisify } from "node:util";
import { constants, crc32, createDeflateRaw, deflateRawSync, gunzip } from "node:zlib";
import { MAX } from "./cutter";
import { combineCrc, Damaged } from "./piece";

const gunzipMember = promisify(gunzip);

/** An empty last block of a deflate stream. */
const LAST_BLOCK = deflateRawSync(Buffer.alloc(0));

/** The end of every document, which the pieces do not contain. */
export const END = Buffer.from("]");
const END_CRC = crc32(END);

/** The CRC-32 of a document from that of its pieces. */
export const withEnd = (crc: number) => combineCrc(crc, END_CRC, END.length);

/** A gzip member's header without name, time or system (RFC 1952, section 2.3). */
export const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);

/** `END` as the deflate stream's last block: no piece has one. */
export const DEFLATED_END = deflateRawSync(END);

const TRAILER_BYTES = 8;

/** Bytes of a gzip form in addition to its pieces. */
export const GZIP_FRAME_BYTES = GZIP_HEADER.length + DEFLATED_END.length + TRAILER_BYTES;

/** A gzip member's trailer: the CRC-32 and the length of the complete text, modulo 2^32. */
export function gzipTrailer(crc: number, length: number): Buffer {
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeUInt32LE(crc, 0);
  trailer.writeUInt32LE(length % 2 ** 32, 4);
  return trailer;
}

/**
 * Compresses one piece after another. Each becomes deflate blocks that end on a byte, refer to nothing outside
 * themselves and have no last block, so that any others may follow. One stream is used for all: one stream per piece
 * was measured to leave 100 MB of fragmented memory for 1 GB.
 */
export class PieceDeflater {
  private readonly stream = createDeflateRaw({ chunkSize: 128 * 1024 });
  private output: Buffer[] = [];
  private failed: Error | undefined;

  constructor() {
    this.stream.on("data", (part: Buffer) => this.output.push(part));
    this.stream.on("error", (error) => {
      this.failed = error;
    });
  }

  /** Call it again only after the last call has resolved. */
  async deflate(text: Uint8Array): Promise<Buffer> {
    this.stream.write(text);
    // A full flush resets the state.
    await new Promise<void>((done) => this.stream.flush(constants.Z_FULL_FLUSH, done));
    if (this.failed) throw this.failed;
    const deflated = Buffer.concat(this.output);
    this.output = [];
    return deflated;
  }

  close(): void {
    this.stream.destroy();
  }
}

/** The text of a piece. Throws if it differs from the text that was stored. */
export async function inflatePiece({
  id,
  deflated,
  plainLength,
  crc,
}: {
  id: string;
  deflated: Uint8Array;
  plainLength: number;
  crc: number;
}): Promise<Buffer> {
  if (plainLength < 0 || plainLength > MAX) throw new Damaged(id);
  // As a gzip member, zlib checks it on the inflating thread.
  const member = Buffer.concat([GZIP_HEADER, deflated, LAST_BLOCK, gzipTrailer(crc, plainLength)]);
  // Into a single buffer, with a spare byte by which zlib notices the end: joining several buffers takes up to half as
  // long again.
  const chunkSize = Math.max(constants.Z_MIN_CHUNK, plainLength + 1);
  return gunzipMember(member, { maxOutputLength: plainLength, chunkSize }).catch((cause) => {
    throw new Damaged(id, cause);
  });
}
