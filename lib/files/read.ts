import { createHash } from "node:crypto";
import { db } from "@/lib/platform/db/client";
import { noFiles } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { BINARY, mediaTypeOf } from "./document/content";
import { ContentDecoder } from "./document/content-decoder";
import { FOLDER } from "./document/entry";
import { entryNotFound } from "./errors";
import { atOneVersion, findEntry, type IndexedDocument } from "./index/find";
import { DEFLATED_END, END, GZIP_HEADER, gzipTrailer, withEnd } from "./pieces/gzip";
import { combineCrc, Damaged, type EntryPointer } from "./pieces/piece";
import { ofVersion } from "./pieces/queries";
import { type OpenVersion, textsBetween } from "./pieces/read";
import { piecesInRange, pieceTexts, publishedVersion, type StoredDocument } from "./pieces/versions";

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
  let total = 0;
  for await (const pieces of piecesInRange(document, 0, document.plainLength))
    for (const { deflated, crc, plainLength } of pieces) {
      total = combineCrc(total, crc, plainLength);
      yield deflated;
    }
  yield Buffer.concat([DEFLATED_END, gzipTrailer(withEnd(total), document.plainLength)]);
}

async function* inflate(document: StoredDocument, first: number, last: number): AsyncGenerator<Uint8Array> {
  for await (const { offset, text } of pieceTexts(document, first, last))
    yield text.subarray(Math.max(0, first - offset), last + 1 - offset);
  if (last === document.plainLength - 1) yield END;
}

/** Passes a download on. The status line has long been sent, so only the log can report that it was cut off. */
export async function* reported(document: OpenVersion, text: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* text;
  } catch (error) {
    const { userId, version } = document;
    const exists = await db.fileVersion.count({ where: { userId, version } }).catch(() => 1);
    if (exists) log.error({ err: error, userId, version }, "a download was cut off");
    else
      log.warn(
        { userId, version },
        "a download was cut off: its version was removed, for newer ones or with its account",
      );
    throw exists ? error : new Error("The version being read was removed to make room for newer ones.");
  }
}

/** Everything the user has stored, as the JSON text that `importDocument` reads. Throws 404 `no_files`. */
export async function exportDocument(userId: string): Promise<AsyncIterable<Uint8Array>> {
  return plainText(await openDocument(userId));
}

/** A media type of characters that every header can contain (RFC 6838, section 4.2). */
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/;

export interface FileContent {
  /** The file's name with its extension. */
  name: string;
  type: string;
  /** From the data: URL or the extension. A stranger wrote it: never show it as one of our pages. */
  contentType: string;
  /** Bytes of the content. */
  length: number;
  /** Differs for another content: the entry, and the version of the document. */
  etag: string;
  /**
   * All bytes, or `first` to `last` (both inclusive, from 0), produced only as fast as they are read. Throws in the
   * middle rather than end early.
   */
  bytes(first?: number, last?: number): AsyncGenerator<Uint8Array>;
}

/**
 * A file's content: text as UTF-8, a data: URL as its bytes. It is of one version, regardless of concurrent writes.
 * Throws 404 `entry_not_found`, also for a folder.
 */
export async function readFile(userId: string, entryId: string): Promise<FileContent> {
  const opened = await atOneVersion(userId, async (document) => {
    const entry = await findEntry(document, entryId);
    if (entry.type === FOLDER) throw entryNotFound();
    return { entry, version: document.version, texts: await textsFrom(document, entry) };
  });
  if (!opened) throw entryNotFound();
  const { entry, version, texts } = opened;
  const decoder = new ContentDecoder(entry.isBase64);
  for await (const text of texts()) {
    decoder.push(text.subarray(entry.start));
    break;
  }
  const name = `${decoder.name}${decoder.type}`;
  return {
    name,
    type: decoder.type,
    contentType: contentTypeOf(name, decoder, entry.isBase64),
    length: entry.size,
    etag: createHash("sha256").update(`${userId} ${version} ${entryId}`).digest("base64url"),
    bytes: (first = 0, last = entry.size - 1) => between(contentOf(entry, texts()), first, last),
  };
}

/** The bytes `first` to `last` of a content. Those before are read, too: an escape of JSON has any length. */
async function* between(content: AsyncIterable<Uint8Array>, first: number, last: number): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const bytes of content) {
    const part = bytes.subarray(Math.max(0, first - at), Math.max(0, last + 1 - at));
    at += bytes.length;
    if (part.length > 0) yield part;
    if (at > last) return;
  }
}

async function* contentOf(
  { isBase64, start }: { isBase64: boolean; start: number },
  texts: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const decoder = new ContentDecoder(isBase64);
  let from = start;
  for await (const text of texts) {
    yield decoder.push(text.subarray(from));
    from = 0;
    if (decoder.isComplete) return;
  }
  throw new Damaged();
}

/** The texts of the pieces of an entry, which is all or the first of what begins in its piece. */
async function textsFrom(
  { userId, version }: IndexedDocument,
  { pieceId }: EntryPointer,
): Promise<() => AsyncGenerator<Uint8Array>> {
  const { position } = await db.filePiece.findUniqueOrThrow({ where: { id: pieceId }, select: { position: true } });
  const next = await db.filePiece.findFirst({
    where: { userId, position: { gt: position }, entries: { gt: 0 }, ...ofVersion(version) },
    orderBy: { position: "asc" },
    select: { position: true },
  });
  const opened = { userId, version, openedAt: performance.now() };
  return () => textsBetween(opened, position, next?.position);
}

function contentTypeOf(name: string, { mediaType }: ContentDecoder, isBase64: boolean): string {
  const own = mediaType.split(";")[0] ?? "";
  const byName = mediaTypeOf(name);
  if (!isBase64)
    return byName?.startsWith("text/") || byName?.startsWith("application/json") ? byName : "text/plain; charset=utf-8";
  return MEDIA_TYPE.test(own) && own !== BINARY ? own : (byName ?? BINARY);
}
