import { createHash } from "node:crypto";
import { db } from "@/lib/platform/db/client";
import { pace } from "@/lib/platform/event-loop";
import { log } from "@/lib/platform/log";
import { perProcess } from "@/lib/platform/process";
import { Queue } from "@/lib/platform/queue";
import { DAY_MS } from "@/lib/platform/time";
import { BINARY, mediaTypeOf } from "./document/content";
import { FOLDER } from "./document/entry";
import { ContentDecoder } from "./document/entry-scanner";
import { entryNotFound, noFiles } from "./errors";
import { atOneVersion, findEntry, type IndexedDocument } from "./index/find";
import { combineCrc, Damaged, DEFLATED_END, END, GZIP_HEADER, gzipTrailer, withEnd } from "./pieces/gzip";
import type { EntryPointer } from "./pieces/piece";
import { ofVersion } from "./pieces/queries";
import { contentRange, type OpenVersion, textsBetween } from "./pieces/read";
import { piecesInRange, pieceTexts, publishedVersion, type StoredDocument } from "./pieces/versions";

/** The published version of the document. Throws 404 `no_files`. */
export async function openDocument(userId: string): Promise<StoredDocument> {
  const document = await publishedVersion(userId);
  if (!document) throw noFiles();
  return document;
}

/** After this time, nobody continues a download without knowing of which version it was. */
const CONTINUED_MS = DAY_MS;
/** Of so many users it is known whether a download was cut off. Beyond it, all count as cut off. */
const MAX_CUT = 10_000;
const cut = perProcess("cut downloads", () => ({ at: new Map<string, number>(), othersAt: Number.NEGATIVE_INFINITY }));

/**
 * Whether a part of the document that was sent before can only be of this version: it has been the newest for a day,
 * in this database, and no download of the user's was cut off meanwhile.
 */
export async function isSettled(
  { userId, publishedAt }: Pick<StoredDocument, "userId" | "publishedAt">,
  now = Date.now(),
): Promise<boolean> {
  const cutAt = cut.at.get(userId) ?? cut.othersAt;
  return now - Math.max(publishedAt.getTime(), cutAt, await restoredAt()) >= CONTINUED_MS;
}

const restored = perProcess("last restore", () => ({ at: undefined as Promise<number> | undefined }));

/** When a backup was last restored: its versions took the place of later ones then. */
function restoredAt(): Promise<number> {
  restored.at ??= db.auditEvent
    .findFirst({ where: { action: "backup.restore" }, orderBy: { id: "desc" }, select: { at: true } })
    .then((event) => event?.at.getTime() ?? 0)
    .catch((error) => {
      restored.at = undefined;
      throw error;
    });
  return restored.at;
}

function noteCut(userId: string): void {
  if (cut.at.size >= MAX_CUT && !cut.at.has(userId)) {
    cut.at.clear();
    cut.othersAt = Date.now();
  }
  cut.at.set(userId, Date.now());
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
    noteCut(userId);
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

interface FileContent {
  /** The file's name with its extension. */
  name: string;
  /** From the data: URL or the extension. A stranger wrote it: never show it as one of our pages. */
  contentType: string;
  /** Bytes of the content. */
  length: number;
  /** Differs for another content: from the entry, and the tag of the document, which no restore brings back. */
  etag: string;
  /**
   * All bytes, or `first` to `last` (both inclusive, from 0), produced only as fast as they are read. Throws in the
   * middle rather than end early.
   */
  bytes(first?: number, last?: number): AsyncGenerator<Uint8Array>;
  isSettled: boolean;
}

/**
 * A file's content: text as UTF-8, a data: URL as its bytes. It is of one version, regardless of concurrent writes.
 * Throws 404 `entry_not_found`, also for a folder. `signal`: aborted when its reader has disconnected.
 */
export async function readFile(userId: string, entryId: string, signal?: AbortSignal): Promise<FileContent> {
  const opened = await atOneVersion(userId, async (document) => {
    const entry = await findEntry(document, entryId);
    if (entry.type === FOLDER) throw entryNotFound();
    const { version } = document;
    return { entry, version, stored: await placeOf(document, entry), published: await publishedVersion(userId) };
  });
  if (!opened?.published) throw entryNotFound();
  const { entry, version, stored, published } = opened;
  const open = { userId, version, openedAt: performance.now() };
  const texts = () => textsBetween(open, stored.position, stored.before);
  async function* bytes(first: number, last: number): AsyncGenerator<Uint8Array> {
    const seek = first < SKIPPED_BYTES ? undefined : await contentRange(open, { ...stored, ...entry });
    if (seek) yield* seek(first, last);
    else yield* between(contentOf(entry, texts()), { userId, first, last, signal });
  }
  const decoder = new ContentDecoder(entry.isBase64);
  for await (const text of texts()) {
    decoder.push(text.subarray(entry.start));
    break;
  }
  const name = `${decoder.name}${decoder.type}`;
  return {
    name,
    contentType: contentTypeOf(name, decoder, entry.isBase64),
    length: entry.size,
    etag: createHash("sha256").update(`${published.etag} ${entryId}`).digest("base64url"),
    bytes: (first = 0, last = entry.size - 1) => reported(published, bytes(first, last)),
    isSettled: await isSettled(published),
  };
}

/** So much is read in vain rather than finding out whether that can be avoided. */
const SKIPPED_BYTES = 1024 * 1024;
/** Who reads what precedes a range: with text that has escapes, that takes a second for 100 MB. */
const skipping = perProcess("skipped contents", () => new Queue({ ofName: [{ count: 1 }] }));

interface SoughtBytes {
  userId: string;
  first: number;
  last: number;
  signal: AbortSignal | undefined;
}

/** The bytes `first` to `last` of a content. Those before are read, too, one range of a user at a time. */
async function* between(
  content: AsyncGenerator<Uint8Array>,
  { userId, first, last, signal }: SoughtBytes,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  let next: IteratorResult<Uint8Array> = await content.next();
  const skip = async () => {
    while (!next.done && at + next.value.length <= first && !signal?.aborted) {
      at += next.value.length;
      next = await content.next();
    }
  };
  if (first < SKIPPED_BYTES) await skip();
  else await skipping.run([userId], skip);
  for (; !next.done && !signal?.aborted; next = await content.next()) {
    const part = next.value.subarray(Math.max(0, first - at), Math.max(0, last + 1 - at));
    at += next.value.length;
    if (part.length > 0) yield part;
    if (at > last) break;
  }
  await content.return(undefined);
}

/** The content of the entry that begins at `start` of the first of these texts. */
export async function* contentOf(
  { isBase64, start = 0 }: { isBase64: boolean; start?: number },
  texts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const decoder = new ContentDecoder(isBase64);
  let from = start;
  const turn = pace();
  for await (const text of texts) {
    await turn();
    const bytes = decoder.push(text.subarray(from));
    if (bytes.length > 0) yield bytes;
    from = 0;
    if (decoder.isComplete) return;
  }
  throw new Damaged();
}

/** Where an entry is that is all, or the first, of what begins in its piece. */
async function placeOf({ userId, version }: IndexedDocument, { pieceId }: EntryPointer) {
  const { position } = await db.filePiece.findUniqueOrThrow({ where: { id: pieceId }, select: { position: true } });
  const next = await db.filePiece.findFirst({
    where: { userId, position: { gt: position }, entries: { gt: 0 }, ...ofVersion(version) },
    orderBy: { position: "asc" },
    select: { position: true },
  });
  return { position, before: next?.position };
}

function contentTypeOf(name: string, { mediaType }: ContentDecoder, isBase64: boolean): string {
  const own = mediaType.split(";")[0] ?? "";
  const byName = mediaTypeOf(name);
  if (!isBase64)
    return byName?.startsWith("text/") || byName?.startsWith("application/json") ? byName : "text/plain; charset=utf-8";
  return MEDIA_TYPE.test(own) && own !== BINARY ? own : (byName ?? BINARY);
}
