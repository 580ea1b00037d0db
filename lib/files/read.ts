import { setImmediate as turnOfOthers } from "node:timers/promises";
import { bytesStatement, Prisma, sql } from "@/lib/db/client";
import { log } from "@/lib/log";
import { noFiles } from "./errors";
import { DEFLATED_END, END, GZIP_HEADER, gzipTrailer, inflatePiece } from "./gzip";

/** After this, a download is cut and what it reads may be swept (contract, section 3: consistency). */
export const LONGEST_DOWNLOAD_MS = 6 * 60 * 60 * 1000;

/** How many pieces are listed at a time … */
const LISTED_AT_ONCE = 500;
/** … and of how many, or of how many bytes, the contents are taken. */
const TAKEN_AT_ONCE = 8;
const BYTES_AT_ONCE = 512 * 1024;
/** … and how many of those are inflated: they wait in memory for as long as a client is slow. */
const INFLATED_AT_ONCE = 4;

/** No piece has this place. */
const BEHIND_ALL = 2n ** 63n - 1n;

/** One version of a user's document. It can be read for `LONGEST_DOWNLOAD_MS`, whatever is written meanwhile. */
export interface OpenVersion {
  userId: string;
  version: number;
  openedAt: number;
}

export interface StoredDocument extends OpenVersion {
  publishedAt: Date;
  entries: number;
  /** Bytes of the JSON text and of its gzip form. */
  plainLength: number;
  gzipLength: number;
  /** CRC-32 of the JSON text. */
  crc: number;
  /** What tells this version from all others, without quotes. */
  etag: string;
}

interface StoredPiece {
  id: string;
  position: bigint;
  plainLength: number;
  deflatedLength: number;
  crc: bigint;
}

/** `offset`: where its text begins in the document's. */
type ListedPiece = StoredPiece & { offset: number };
type TakenPiece = ListedPiece & { deflated: Uint8Array };

/** The version of the document that is published now. Throws 404 `no_files`. */
export async function openDocument(userId: string): Promise<StoredDocument> {
  const [published] = await sql.$queryRaw<Omit<StoredDocument, "userId" | "openedAt">[]>`
    SELECT "version", "publishedAt", "entries", "plainLength", "gzipLength", "crc", "etag" FROM "FileVersion"
    WHERE "userId" = ${userId} ORDER BY "version" DESC LIMIT 1`;
  if (!published) throw noFiles();
  return { ...published, userId, openedAt: Date.now() };
}

/** The document as one gzip member of `gzipLength` bytes; nothing is compressed for it. Throws in the middle rather than end early. */
export function gzipText(document: StoredDocument): AsyncGenerator<Uint8Array> {
  return reported(document, splice(document));
}

/** The document's JSON text, or of its bytes `first` to `last` (both included, counted from 0). Throws in the middle rather than end early. */
export function plainText(document: StoredDocument, first = 0, last = document.plainLength - 1): AsyncGenerator<Uint8Array> {
  return reported(document, inflate(document, first, last));
}

async function* splice(document: StoredDocument): AsyncGenerator<Uint8Array> {
  yield GZIP_HEADER;
  for await (const pieces of takenPieces(document, 0, document.plainLength)) for (const { deflated } of pieces) yield deflated;
  yield Buffer.concat([DEFLATED_END, gzipTrailer(document.crc, document.plainLength)]);
}

async function* inflate(document: StoredDocument, first: number, last: number): AsyncGenerator<Uint8Array> {
  for await (const { offset, text } of pieceTexts(document, first, last)) yield text.subarray(Math.max(0, first - offset), last + 1 - offset);
  if (last === document.plainLength - 1) yield END;
}

/** The pieces that hold the bytes `first` to `last` of the text, in order, and where each one's text begins. */
export async function* pieceTexts(
  document: StoredDocument,
  first = 0,
  last = document.plainLength - 1,
): AsyncGenerator<{ id: string; offset: number; text: Buffer }> {
  for await (const pieces of takenPieces(document, first, last)) yield* textsOf(pieces);
}

/** The texts of these pieces of a version, in order. */
export async function* textsOfPieces(version: OpenVersion, pieces: readonly StoredPiece[]): AsyncGenerator<Buffer> {
  const left = pieces.map((piece) => ({ ...piece, offset: 0 }));
  while (left.length > 0) for await (const { text } of textsOf(await takePieces(version, left.splice(0, takeable(left))))) yield text;
}

/** The texts of the pieces from one place in a version up to another, that one not included. */
export async function* textsBetween(version: OpenVersion, from: bigint, before?: bigint): AsyncGenerator<Buffer> {
  for await (const listed of listings(version, from - 1n, before)) yield* textsOfPieces(version, listed);
}

async function* textsOf(pieces: TakenPiece[]): AsyncGenerator<{ id: string; offset: number; text: Buffer }> {
  for (let from = 0; from < pieces.length; from += INFLATED_AT_ONCE) {
    const some = pieces.slice(from, from + INFLATED_AT_ONCE);
    const texts = await Promise.all(some.map(inflatePiece));
    for (const [index, { id, offset }] of some.entries()) yield { id, offset, text: texts[index] ?? END };
  }
}

/** The pieces that hold the bytes `first` to `last` of the text, in order, a few at a time. No statement is open between two of them. */
async function* takenPieces(document: StoredDocument, first: number, last: number): AsyncGenerator<TakenPiece[]> {
  let end = 0;
  for await (const listed of listings(document)) {
    const wanted = listed.filter(({ offset, plainLength }) => offset <= last && offset + plainLength > first);
    while (wanted.length > 0) yield await takePieces(document, wanted.splice(0, takeable(wanted)));
    end = listed.reduce((_, { offset, plainLength }) => offset + plainLength, end);
    if (end > last) return;
  }
  if (end + END.length !== document.plainLength) throw damaged();
}

/** The pieces of a version behind the place `after`, some hundreds at a time, with their offsets from there. */
async function* listings(version: OpenVersion, after = -1n, before?: bigint): AsyncGenerator<ListedPiece[]> {
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

/** How many of these pieces are taken at once. */
function takeable(pieces: readonly ListedPiece[]): number {
  let bytes = 0;
  for (const [index, { deflatedLength }] of pieces.entries()) {
    bytes += deflatedLength;
    if (index === TAKEN_AT_ONCE || (index > 0 && bytes > BYTES_AT_ONCE)) return index;
  }
  return pieces.length;
}

async function listPieces({ userId, version }: OpenVersion, after: bigint, before = BEHIND_ALL): Promise<StoredPiece[]> {
  const rows = await sql.$queryRaw<(Omit<StoredPiece, "position" | "crc"> & { position: number; crc: number })[]>`
    SELECT "id", "position", "plainLength", "deflatedLength", "crc" FROM "FilePiece"
    WHERE "userId" = ${userId} AND "position" > ${after} AND "position" < ${before}
      AND "bornVersion" <= ${version} AND ("retiredVersion" IS NULL OR "retiredVersion" > ${version})
    ORDER BY "position" LIMIT ${LISTED_AT_ONCE}`;
  return rows.map((row) => ({ ...row, position: BigInt(row.position), crc: BigInt(row.crc) }));
}

/** Which of a user's pieces readers of this version get, as `listPieces` says it too. */
export function piecesOf(version: number) {
  return { bornVersion: { lte: version }, OR: [{ retiredVersion: null }, { retiredVersion: { gt: version } }] };
}

async function takePieces(document: OpenVersion, pieces: ListedPiece[]): Promise<TakenPiece[]> {
  if (Date.now() - document.openedAt > LONGEST_DOWNLOAD_MS) throw new Error("The download took longer than it may.");
  // SQLite answers within the turn of the event loop, so a fast client's download would not let others have one.
  await turnOfOthers();
  const ids = Prisma.join(pieces.map(({ id }) => id));
  const rows = await bytesStatement(Prisma.sql`SELECT "pieceId", "deflated" FROM "FileContent" WHERE "pieceId" IN (${ids})`);
  const byId = new Map(rows.map(([pieceId, deflated]) => [pieceId, deflated]));
  return pieces.map((piece) => {
    const deflated = byId.get(piece.id);
    if (!(deflated instanceof Uint8Array) || deflated.length !== piece.deflatedLength) throw damaged();
    return { ...piece, deflated };
  });
}

/** The status was sent long ago, so nobody but the log can be told. */
async function* reported(document: StoredDocument, text: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* text;
  } catch (error) {
    log.error({ err: error, userId: document.userId, version: document.version }, "a download was cut");
    throw error;
  }
}

export const damaged = () => new Error("Pieces of a stored document are missing or damaged.");
