import { createHash } from "node:crypto";
import { db } from "@/lib/db/client";
import { ContentDecoder } from "./document/content-decoder";
import { FOLDER } from "./document/entry";
import { BINARY, mediaTypeOf } from "./document/file-data";
import { entryNotFound } from "./errors";
import { findEntry } from "./index/folders";
import { atOneVersion, type IndexedDocument } from "./index/indexed-document";
import { Damaged } from "./pieces/damaged";
import type { EntryPlace } from "./pieces/piece";
import { ofVersion } from "./pieces/rows";
import { textsBetween } from "./pieces/texts";

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
  const found = await atOneVersion(userId, async (document) => {
    const entry = await findEntry(document, entryId);
    if (entry.type === FOLDER) throw entryNotFound();
    return { entry, version: document.version, texts: await textsFrom(document, entry) };
  });
  if (!found) throw entryNotFound();
  const { entry, version, texts } = found;
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
  { pieceId }: EntryPlace,
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
  const known = mediaTypeOf(name);
  if (!isBase64)
    return known?.startsWith("text/") || known?.startsWith("application/json") ? known : "text/plain; charset=utf-8";
  return MEDIA_TYPE.test(own) && own !== BINARY ? own : (known ?? BINARY);
}
