import { db } from "@/lib/db/client";
import { noFiles } from "@/lib/errors";
import { log } from "@/lib/log";
import { combineCrc } from "./pieces/crc";
import { DEFLATED_END, END, GZIP_HEADER, gzipTrailer, withEnd } from "./pieces/gzip";
import { pieceTexts, publishedVersion, type StoredDocument, takenPieces } from "./pieces/published";
import type { OpenVersion } from "./pieces/take";

/** The published version of the document. Throws 404 `no_files`. */
export async function openDocument(userId: string): Promise<StoredDocument> {
  const document = await publishedVersion(userId);
  if (!document) throw noFiles();
  return document;
}

/**
 * The document as one gzip member of `gzipLength` bytes, without compressing anything. Throws in the middle rather than
 * end early.
 */
export function gzipText(document: StoredDocument): AsyncGenerator<Uint8Array> {
  return reported(document, splice(document));
}

/**
 * The document's JSON text, or its bytes `first` to `last` (both inclusive, counted from 0). Throws in the middle
 * rather than end early.
 */
export function plainText(
  document: StoredDocument,
  first = 0,
  last = document.plainLength - 1,
): AsyncGenerator<Uint8Array> {
  return reported(document, inflate(document, first, last));
}

async function* splice(document: StoredDocument): AsyncGenerator<Uint8Array> {
  yield GZIP_HEADER;
  let whole = 0;
  for await (const pieces of takenPieces(document, 0, document.plainLength))
    for (const { deflated, crc, plainLength } of pieces) {
      whole = combineCrc(whole, crc, plainLength);
      yield deflated;
    }
  yield Buffer.concat([DEFLATED_END, gzipTrailer(withEnd(whole), document.plainLength)]);
}

async function* inflate(document: StoredDocument, first: number, last: number): AsyncGenerator<Uint8Array> {
  for await (const { offset, text } of pieceTexts(document, first, last))
    yield text.subarray(Math.max(0, first - offset), last + 1 - offset);
  if (last === document.plainLength - 1) yield END;
}

/** Passes a download on. The status was sent long ago, so only the log can report that it was cut off. */
export async function* reported(document: OpenVersion, text: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* text;
  } catch (error) {
    const { userId, version } = document;
    const isKept = await db.fileVersion.count({ where: { userId, version } }).catch(() => 1);
    if (isKept) log.error({ err: error, userId, version }, "a download was cut off");
    else
      log.warn(
        { userId, version },
        "a download was cut off: its version was removed, for newer ones or with its account",
      );
    throw isKept ? error : new Error("The version being read was removed to make room for newer ones.");
  }
}
