import { promisify } from "node:util";
import { constants, crc32, createDeflateRaw, deflateRawSync, gunzip } from "node:zlib";

const gunzipMember = promisify(gunzip);

/** No piece has more bytes of text than this. */
export const MAX = 256 * 1024;

/** Thrown where a piece is missing or damaged; answered as 500 `data_damaged`. `pieceId`: which one, if identified. */
export class Damaged extends Error {
  override name = "Damaged";

  constructor(pieceId?: string, cause?: unknown) {
    super(`${pieceId === undefined ? "A piece" : `The piece ${pieceId}`} of a document is missing or damaged.`, {
      cause,
    });
  }
}

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

/** The polynomial of CRC-32 (RFC 1952, section 8), bits reversed: the highest bit is x^0. */
const POLYNOMIAL = 0xedb88320;
const ONE = 0x80000000;
const X_TO_THE_8TH = 0x00800000;

/** The CRC-32 of two texts in a row, from the CRC-32 of each and the second one's length in bytes. */
export function combineCrc(first: number, second: number, secondLength: number): number {
  return (multiply(shiftBy(secondLength), first) ^ second) >>> 0;
}

/** The n-th one is x^(8·2^n): the square of the one before. */
const SQUARES = [X_TO_THE_8TH];

/** The factor for a CRC when `bytes` more bytes follow: x^(8·bytes). */
function shiftBy(bytes: number): number {
  let factor = ONE;
  for (let rest = bytes, n = 0; rest > 0; rest = Math.floor(rest / 2), n++) {
    const square = SQUARES[n] ?? nextSquare();
    if (rest % 2 === 1) factor = multiply(factor, square);
  }
  return factor;
}

function nextSquare(): number {
  const last = SQUARES.at(-1) ?? X_TO_THE_8TH;
  const square = multiply(last, last);
  SQUARES.push(square);
  return square;
}

/** The product of two polynomials over GF(2), modulo the CRC's, in signed integers, which are much faster. */
function multiply(a: number, b: number): number {
  let product = 0;
  let shifted = b | 0;
  for (let rest = a | 0; rest !== 0; rest <<= 1) {
    if (rest < 0) product ^= shifted;
    shifted = shifted & 1 ? (shifted >>> 1) ^ POLYNOMIAL : shifted >>> 1;
  }
  return product;
}
