import { getMimeType } from "hono/utils/mime";
import { db } from "@/lib/db/client";
import { ContentDecoder } from "./document/content-decoder";
import { FOLDER } from "./document/entry";
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
  /** The content, produced only as fast as it is read. Throws in the middle rather than end early. */
  bytes: AsyncGenerator<Uint8Array>;
}

/**
 * A file's content: text as UTF-8, a data: URL as its bytes. It is of one version, regardless of concurrent writes.
 * Throws 404 `entry_not_found`, also for a folder.
 */
export async function readFile(userId: string, entryId: string): Promise<FileContent> {
  const found = await atOneVersion(userId, async (document) => {
    const entry = await findEntry(document, entryId);
    if (entry.type === FOLDER) throw entryNotFound();
    return { entry, texts: await textsFrom(document, entry) };
  });
  if (!found) throw entryNotFound();
  const { entry, texts } = found;
  const decoder = new ContentDecoder(entry.isBase64);
  const begin = await texts.next();
  if (begin.done) throw new Damaged();
  const first = decoder.push(begin.value.subarray(entry.start));
  const name = `${decoder.name}${decoder.type}`;
  return {
    name,
    type: decoder.type,
    contentType: contentTypeOf(name, decoder, entry.isBase64),
    length: entry.size,
    bytes: contentOf(first, decoder, texts),
  };
}

async function* contentOf(
  first: Uint8Array,
  decoder: ContentDecoder,
  texts: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    while (!decoder.isComplete) {
      const next = await texts.next();
      if (next.done) throw new Damaged();
      yield decoder.push(next.value);
    }
  } finally {
    await texts.return(undefined);
  }
}

/** The texts of the pieces of an entry, which is all or the first of what begins in its piece. */
async function textsFrom(
  { userId, version }: IndexedDocument,
  { pieceId }: EntryPlace,
): Promise<AsyncGenerator<Uint8Array>> {
  const { position } = await db.filePiece.findUniqueOrThrow({ where: { id: pieceId }, select: { position: true } });
  const next = await db.filePiece.findFirst({
    where: { userId, position: { gt: position }, entries: { gt: 0 }, ...ofVersion(version) },
    orderBy: { position: "asc" },
    select: { position: true },
  });
  return textsBetween({ userId, version, openedAt: performance.now() }, position, next?.position);
}

function contentTypeOf(name: string, { mediaType }: ContentDecoder, isBase64: boolean): string {
  const own = mediaType.split(";")[0] ?? "";
  const known = getMimeType(name);
  if (!isBase64)
    return known?.startsWith("text/") || known?.startsWith("application/json") ? known : "text/plain; charset=utf-8";
  return MEDIA_TYPE.test(own) ? own : (known ?? "application/octet-stream");
}
