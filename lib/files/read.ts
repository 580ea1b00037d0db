import { db, sql } from "@/lib/db/client";
import { log } from "@/lib/log";
import { noFiles } from "./errors";
import { DEFLATED_END, END, GZIP_HEADER, gzipTrailer } from "./gzip";
import { type PieceText, textsOf } from "./piece-texts";
import { damaged, listings, type OpenVersion, type TakenPiece, takePieces } from "./stored-pieces";

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

/** The texts of the pieces that hold the bytes `first` to `last` of the document's, in order, and where each begins. */
export function pieceTexts(document: StoredDocument, first = 0, last = document.plainLength - 1): AsyncGenerator<PieceText> {
  return textsOf(takenPieces(document, first, last));
}

/** The pieces that hold the bytes `first` to `last` of the text, in order, a few at a time. No statement is open between two of them. */
async function* takenPieces(document: StoredDocument, first: number, last: number): AsyncGenerator<TakenPiece[]> {
  let end = 0;
  for await (const listed of listings(document)) {
    yield* takePieces(
      document,
      listed.filter(({ offset, plainLength }) => offset <= last && offset + plainLength > first),
    );
    end = listed.reduce((_, { offset, plainLength }) => offset + plainLength, end);
    if (end > last) return;
  }
  if (end + END.length !== document.plainLength) throw damaged();
}

/** The status was sent long ago, so nobody but the log can be told. */
async function* reported(document: StoredDocument, text: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* text;
  } catch (error) {
    const { userId, version } = document;
    const isKept = await db.fileVersion.count({ where: { userId, version } }).catch(() => 1);
    if (isKept) log.error({ err: error, userId, version }, "a download was cut");
    else log.warn({ userId, version }, "a download was cut: its version made room for newer ones, or went with its account");
    throw isKept ? error : new Error("The version that was read made room for newer ones.");
  }
}
