import { getMimeType } from "hono/utils/mime";
import { db } from "@/lib/db/client";
import { ContentDecoder } from "./content-decoder";
import { FOLDER } from "./entry-rules";
import { entryNotFound } from "./errors";
import { findEntry } from "./folders";
import { atOneVersion, type IndexedDocument } from "./index-document";
import type { Place } from "./index-entry";
import { textsBetween } from "./piece-texts";
import { damaged, piecesOf } from "./stored-pieces";

/** A media type without anything that a header could not hold (RFC 6838, section 4.2). */
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/;

export interface EntryContent {
  /** The file's name with its extension. */
  name: string;
  type: string;
  /** By the data: URL, or by the extension. It is what a stranger wrote: never to be shown as a page of ours. */
  contentType: string;
  /** Bytes of the content. */
  length: number;
  /** The content, made only as fast as it is taken. Throws in the middle rather than end early. */
  bytes: AsyncGenerator<Uint8Array>;
}

/**
 * A file's content: text as UTF-8, a data: URL as its bytes. It is of one version, whatever is written meanwhile. Throws
 * 404 `entry_not_found`, also for a folder.
 */
export async function readEntry(userId: string, entryId: string): Promise<EntryContent> {
  const found = await atOneVersion(userId, async (document) => {
    const entry = await findEntry(document, entryId);
    if (entry.type === FOLDER) throw entryNotFound();
    return { entry, texts: await textsFrom(document, entry) };
  });
  if (!found) throw entryNotFound();
  const { entry, texts } = found;
  const decoder = new ContentDecoder(entry.isBase64);
  const begin = await texts.next();
  if (begin.done) throw damaged();
  const first = decoder.push(begin.value.subarray(entry.start));
  const name = `${decoder.name}${decoder.type}`;
  return { name, type: decoder.type, contentType: contentTypeOf(name, decoder, entry.isBase64), length: entry.size, bytes: contentOf(first, decoder, texts) };
}

async function* contentOf(first: Uint8Array, decoder: ContentDecoder, texts: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    while (!decoder.isComplete) {
      const next = await texts.next();
      if (next.done) throw damaged();
      yield decoder.push(next.value);
    }
  } finally {
    await texts.return(undefined);
  }
}

/** The texts of the pieces that hold an entry, which is all or the first of what begins in its piece. */
async function textsFrom({ userId, version }: IndexedDocument, { pieceId }: Place): Promise<AsyncGenerator<Uint8Array>> {
  const { position } = await db.filePiece.findUniqueOrThrow({ where: { id: pieceId }, select: { position: true } });
  const next = await db.filePiece.findFirst({
    where: { userId, position: { gt: position }, entries: { gt: 0 }, ...piecesOf(version) },
    orderBy: { position: "asc" },
    select: { position: true },
  });
  return textsBetween({ userId, version, openedAt: Date.now() }, position, next?.position);
}

function contentTypeOf(name: string, { mediaType }: ContentDecoder, isBase64: boolean): string {
  const own = mediaType.split(";")[0] ?? "";
  const known = getMimeType(name);
  if (!isBase64) return known?.startsWith("text/") || known?.startsWith("application/json") ? known : "text/plain; charset=utf-8";
  return MEDIA_TYPE.test(own) ? own : (known ?? "application/octet-stream");
}
