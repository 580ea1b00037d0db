import { MAX_DOWNLOAD_MS } from "@/lib/platform/bounds";
import { sql } from "@/lib/platform/db/client";
import { pace } from "@/lib/platform/event-loop";
import { DataEnd, entrySpans } from "../document/entry-scanner";
import { COMMA, QUOTE } from "../document/json-string";
import { Damaged, inflatePiece } from "./gzip";
import { type PieceFacts, withoutMask } from "./piece";
import { contents, piecesBetween } from "./queries";
import { openContent, type StoredContent } from "./seal";

/** Pieces listed at a time … */
export const LISTED_AT_ONCE = 500;
/** … and of how many pieces, or bytes, the contents are loaded at a time. */
const LOADED_AT_ONCE = 8;
const BYTES_AT_ONCE = 512 * 1024;
/** SQLite runs within the turn of the event loop: after this time, a fast client's download yields to others. */
const MAX_TURN_MS = 1;

/** No piece has this position. */
const BEHIND_ALL = 2n ** 63n - 1n;

/** One version of a user's document. It can be read for `MAX_DOWNLOAD_MS`, regardless of concurrent writes. */
export interface OpenVersion {
  userId: string;
  version: number;
  openedAt: number;
}

/** A piece's position in a version of a document. */
type StoredPiece = Omit<PieceFacts, "entries">;

/** `offset`: where its text begins in the document's. */
type ListedPiece = StoredPiece & { offset: number };
/** `crc`: the CRC-32 of its text. */
export type LoadedPiece = Omit<ListedPiece, "crc"> & PieceContent;

export interface PieceContent {
  deflated: Uint8Array;
  crc: number;
}

/** The pieces of a version after the position `after`, some hundreds at a time, with their offsets from there. */
export async function* listings(version: OpenVersion, after = -1n, before?: bigint): AsyncGenerator<ListedPiece[]> {
  let offset = 0;
  let last = after;
  for (;;) {
    const pieces = await listPieces(version, last, before);
    const listed = pieces.map((piece) => {
      const begin = offset;
      offset += piece.plainLength;
      return { ...piece, offset: begin };
    });
    last = pieces.at(-1)?.position ?? last;
    yield listed;
    if (pieces.length < LISTED_AT_ONCE) return;
  }
}

/** How many of these pieces are read at a time. */
function batchLength(pieces: readonly ListedPiece[]): number {
  let bytes = 0;
  for (const [index, { deflatedLength }] of pieces.entries()) {
    bytes += deflatedLength;
    if (index === LOADED_AT_ONCE || (index > 0 && bytes > BYTES_AT_ONCE)) return index;
  }
  return pieces.length;
}

async function listPieces(
  { userId, version }: OpenVersion,
  after: bigint,
  before = BEHIND_ALL,
): Promise<StoredPiece[]> {
  const rows = await sql.read(piecesBetween({ userId, version }, { after, before, limit: LISTED_AT_ONCE }));
  return rows.map((row) => ({ ...row, position: BigInt(row.position), crc: BigInt(row.crc) }));
}

/** These pieces with their contents, in small batches. */
export async function* loadPieces(version: OpenVersion, pieces: ListedPiece[]): AsyncGenerator<LoadedPiece[]> {
  const left = [...pieces];
  const turn = pace(MAX_TURN_MS);
  while (left.length > 0) {
    await turn();
    yield await contentsOf(version, left.splice(0, batchLength(left)));
  }
}

async function contentsOf(document: OpenVersion, pieces: ListedPiece[]): Promise<LoadedPiece[]> {
  if (performance.now() - document.openedAt > MAX_DOWNLOAD_MS) throw new Error("The download took longer than it may.");
  const rows = await sql.read(contents(pieces.map(({ id }) => id)));
  const byId = new Map(rows.map((row) => [row.pieceId, row]));
  const loaded: LoadedPiece[] = [];
  for (const piece of pieces) {
    const row = byId.get(piece.id);
    if (!row) throw new Damaged(piece.id);
    loaded.push({ ...piece, ...(await opened(document.userId, piece, row)) });
  }
  return loaded;
}

/** The content of one piece of any version. Undefined if it was removed with that version. */
export async function contentOf(userId: string, piece: StoredPiece): Promise<PieceContent | undefined> {
  const [row] = await sql.read(contents([piece.id]));
  return row && opened(userId, piece, row);
}

async function opened(userId: string, piece: StoredPiece, row: StoredContent): Promise<PieceContent> {
  const content = withoutMask(piece, await openContent(userId, row));
  if (!content) throw new Damaged(piece.id);
  return content;
}

/** Pieces inflated at a time: they stay in memory while a client is slow. */
const INFLATED_AT_ONCE = 4;

/** `offset`: where it begins in the document's text. */
export interface PieceText {
  id: string;
  offset: number;
  text: Buffer;
}

/** The texts of these pieces of a version, in order. */
export async function* textsOfPieces(version: OpenVersion, pieces: readonly StoredPiece[]): AsyncGenerator<Buffer> {
  const listed = pieces.map((piece) => ({ ...piece, offset: 0 }));
  for await (const { text } of textsOf(loadPieces(version, listed))) yield text;
}

/** The text of one piece. */
export async function textOfPiece(version: OpenVersion, piece: StoredPiece): Promise<Buffer> {
  for await (const text of textsOfPieces(version, [piece])) return text;
  throw new Damaged(piece.id);
}

/** The texts of the pieces from one position in a version to another, which is exclusive. */
export async function* textsBetween(version: OpenVersion, from: bigint, before?: bigint): AsyncGenerator<Buffer> {
  for await (const listed of listings(version, from - 1n, before)) yield* textsOfPieces(version, listed);
}

/**
 * The texts of pieces, in order. The next ones are inflated while one is sent. A second, plain form is not stored: most
 * clients accept gzip and get pieces as they are; for the others, it would take more than twice the disk, the log and
 * the backup, and PostgreSQL would take longer to read it than zlib's threads to inflate.
 */
export async function* textsOf(batches: AsyncIterable<LoadedPiece[]>): AsyncGenerator<PieceText> {
  const ahead: Promise<PieceText>[] = [];
  for await (const pieces of batches)
    for (const piece of pieces) {
      const inflating = textOf(piece);
      // The consumer below gets its error. This is for promises that nobody awaits because the reader has left.
      inflating.catch(() => {});
      if (ahead.push(inflating) === INFLATED_AT_ONCE) yield ahead.shift() as Promise<PieceText>;
    }
  for (const text of ahead) yield text;
}

async function textOf(piece: LoadedPiece): Promise<PieceText> {
  return { id: piece.id, offset: piece.offset, text: await inflatePiece(piece) };
}

/** The content of a file of several pieces. */
interface StoredFile {
  /** Position of its first piece, and of the first piece after it. */
  position: bigint;
  before: bigint | undefined;
  /** Where it begins in its first piece. */
  start: number;
  /** Bytes of its content, and how that is stored. */
  size: number;
  isBase64: boolean;
}

/** The bytes `first` to `last` of a content, both inclusive. */
type Range = (first: number, last: number) => AsyncGenerator<Uint8Array>;

const DIGITS = 4;
const BYTES = 3;

/**
 * Reads ranges of a content without what precedes them. Undefined if that cannot be: an escape of JSON takes more bytes
 * than it stands for. Whether there are any shows in the lengths. Reads the first and the last piece.
 */
export async function contentRange(
  version: OpenVersion,
  { position, before, start, size, isBase64 }: StoredFile,
): Promise<Range | undefined> {
  const pieces: ListedPiece[] = [];
  for await (const listed of listings(version, position - 1n, before)) pieces.push(...listed);
  const [piece] = pieces;
  if (!piece || pieces.length === 1) return undefined;
  const begin = await textOfPiece(version, piece);
  const { data } = entrySpans(begin, start);
  const isString = begin[data.from] === QUOTE;
  const quote = isString ? 1 : 0;
  const from = isBase64 ? begin.indexOf(COMMA, data.from) + 1 : data.from + quote;
  const to = (await endOf(version, pieces)) - quote;
  const stored = isBase64 ? Math.ceil(size / BYTES) * DIGITS : size;
  if ((isBase64 && !isString) || from === 0 || to - from !== stored) return undefined;
  return (first, last) =>
    isBase64
      ? decoded(version, pieces, { from, first, last })
      : between(version, pieces, [from + first, from + last + 1]);
}

/** Where the data of an entry ends in the text of its pieces; negative if that is in the first one. */
async function endOf(version: OpenVersion, pieces: readonly ListedPiece[]): Promise<number> {
  const behindData = new DataEnd();
  for (const piece of pieces.slice(1).reverse()) {
    const at = behindData.before(await textOfPiece(version, piece));
    if (at !== undefined) return piece.offset + at;
  }
  return -1;
}

/** The bytes `from` to `to`, which is exclusive, of the text of these pieces. */
async function* between(
  version: OpenVersion,
  pieces: readonly ListedPiece[],
  [from, to]: readonly [number, number],
): AsyncGenerator<Buffer> {
  const sought = pieces.filter(({ offset, plainLength }) => offset < to && offset + plainLength > from);
  let n = 0;
  for await (const text of textsOfPieces(version, sought)) {
    const offset = sought[n++]?.offset ?? 0;
    yield text.subarray(Math.max(0, from - offset), to - offset);
  }
}

async function* decoded(
  version: OpenVersion,
  pieces: readonly ListedPiece[],
  { from, first, last }: { from: number; first: number; last: number },
): AsyncGenerator<Buffer> {
  const group = (byte: number) => Math.floor(byte / BYTES);
  let skipped = first % BYTES;
  let left = last - first + 1;
  let digits = "";
  for await (const text of between(version, pieces, [
    from + group(first) * DIGITS,
    from + (group(last) + 1) * DIGITS,
  ])) {
    digits += text.toString("latin1");
    const complete = digits.length - (digits.length % DIGITS);
    const bytes = Buffer.from(digits.slice(0, complete), "base64");
    digits = digits.slice(complete);
    const part = bytes.subarray(skipped, skipped + left);
    skipped = Math.max(0, skipped - bytes.length);
    left -= part.length;
    if (part.length > 0) yield part;
  }
}
