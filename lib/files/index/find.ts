import { db, sql } from "@/lib/platform/db/client";
import { turnOfOthers } from "@/lib/platform/event-loop";
import { searchable } from "@/lib/platform/fold-case";
import { Queue } from "@/lib/platform/queue";
import { USERS } from "../document/entry";
import { EntryScanner } from "../document/entry-scanner";
import { entryNotFound, noFiles, notAFolder } from "../errors";
import { pieceTexts, publishedVersion } from "../pieces/versions";
import { isEntryId } from "../schema";
import { displayName, IndexKeys, indexEntry, insertIndex, isIndexSpace, newIndexSpace } from "./entry";
import { nameSortKey } from "./order";
import {
  type EntryRow,
  entriesInBuckets,
  entriesInPiece,
  entriesWithNames,
  firstFolder,
  foldersWithPaths,
  type IndexEntry,
  type StoredIndexEntry,
  storedEntry,
} from "./queries";

/** Whether the name of an entry contains this text, ignoring case. The empty text is in all names. */
export function nameMatcher(text: string): (entry: { label: string; type: string }) => boolean {
  const sought = searchable(text);
  return (entry) => sought === "" || searchable(displayName(entry)).includes(sought);
}

/** The user's current document according to the index. Version 0: nothing was stored yet. */
export interface IndexedDocument {
  userId: string;
  version: number;
  indexSpace: string;
  indexKeys: IndexKeys;
}

/** One at a time in this process: reading a document is costly. */
const indexing = new Queue({ ofAll: { count: 1 } });

/** The user's document. If its index is missing or in an older format, it is rebuilt now. */
export async function indexedDocument(userId: string): Promise<IndexedDocument | undefined> {
  for (;;) {
    const document = await db.fileDocument.findUnique({ where: { userId } });
    if (!document) return undefined;
    if (isIndexSpace(document.indexSpace))
      return { ...document, indexSpace: document.indexSpace, indexKeys: new IndexKeys(document.indexSpace) };
    await indexing.run([userId], () => indexDocument(userId));
  }
}

/** How often a read is retried because of concurrent changes. */
const MAX_READINGS = 5;

/**
 * Runs `work` on the user's document so that it reads the index of a single version, unless the document changes all
 * the time. Returns undefined if nothing was stored yet.
 */
export async function atOneVersion<T>(
  userId: string,
  work: (document: IndexedDocument) => Promise<T>,
): Promise<T | undefined> {
  for (let reading = 1; ; reading++) {
    const document = await indexedDocument(userId);
    if (!document) return undefined;
    const result = await work(document);
    if (reading === MAX_READINGS || (await indexedDocument(userId))?.version === document.version) return result;
  }
}

/** Two processes that do this concurrently write the same rows. */
async function indexDocument(userId: string): Promise<void> {
  const before = await db.fileDocument.findUnique({ where: { userId } });
  if (!before || isIndexSpace(before.indexSpace)) return;
  const indexSpace = newIndexSpace(userId);
  const document = await publishedVersion(userId);
  if (!document) throw noFiles();
  const indexKeys = new IndexKeys(indexSpace);
  const entries: IndexEntry[] = [];
  /** Where the pieces that hold the current entry begin. */
  let open: { id: string; offset: number }[] = [];
  const scanner = new EntryScanner({
    entry(entry) {
      const piece = open.findLast(({ offset }) => offset <= entry.from);
      if (piece) entries.push(indexEntry(indexKeys, { pieceId: piece.id, start: entry.from - piece.offset }, entry));
    },
  });
  for await (const { id, offset, text } of pieceTexts(document)) {
    open = scanner.position === 0 ? [{ id, offset }] : [...open.slice(0, 1), { id, offset }];
    scanner.push(text);
    await insertIndex(entries.splice(0));
  }
  await db.fileDocument.updateMany({
    where: { userId, version: document.version, indexSpace: before.indexSpace },
    data: { indexSpace },
  });
}

/** Limit for entries with one name or folders with one path; only specially crafted documents have more. */
const MAX_ALIKE = 100;
/** Names or paths per statement. */
const KEYS_AT_ONCE = 100;
/** Buckets per statement, of the 256 that a document's entries are in. */
const BUCKETS_AT_ONCE = 8;

/** The entries with these ids. The ids of a bucket are adjacent in the index: only returned rows are read. */
export async function entriesById(
  { userId, indexKeys }: IndexedDocument,
  ids: readonly string[],
): Promise<StoredIndexEntry[]> {
  const entries: StoredIndexEntry[] = [];
  const byBucket = new Map<number, string[]>();
  for (const id of new Set(ids)) {
    const bucket = indexKeys.bucketOf(id);
    byBucket.set(bucket, [...(byBucket.get(bucket) ?? []), id]);
  }
  const buckets = [...byBucket.keys()];
  for (let from = 0; from < buckets.length; from += BUCKETS_AT_ONCE) {
    if (from > 0) await turnOfOthers();
    const some = buckets.slice(from, from + BUCKETS_AT_ONCE);
    const sought = some.flatMap((bucket) => byBucket.get(bucket) ?? []);
    const rows = await sql.read(entriesInBuckets(some, sought));
    entries.push(...rows.filter(({ owner }) => owner === userId).map(storedEntry));
  }
  return entries;
}

/** The folders with one of these paths: a document may have several with one path, of which a hundred are returned. */
export function foldersByPath(userId: string, pathKeys: readonly string[]): Promise<StoredIndexEntry[]> {
  return inBatches(pathKeys, (some) => sql.read(foldersWithPaths(userId, some, MAX_ALIKE * some.length)));
}

/** The entries with one of these names in a folder, at least one for each. */
export async function entriesNamed(
  userId: string,
  parentKey: string,
  names: readonly string[],
): Promise<StoredIndexEntry[]> {
  const entries = await inBatches(names, (some) => {
    const sought = { parentKey, nameKeys: some.map(nameSortKey), limit: MAX_ALIKE * some.length };
    return sql.read(entriesWithNames(userId, sought));
  });
  const sought = new Set(names);
  return entries.filter((entry) => sought.has(displayName(entry)));
}

/** What is found for these keys, a hundred per statement. Others get their turn in between. */
async function inBatches(
  keys: readonly string[],
  find: (some: readonly string[]) => Promise<EntryRow[]>,
): Promise<StoredIndexEntry[]> {
  const found: StoredIndexEntry[] = [];
  for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) {
    if (from > 0) await turnOfOthers();
    for (const row of await find(keys.slice(from, from + KEYS_AT_ONCE))) found.push(storedEntry(row));
  }
  return found;
}

/** The entries that begin in a piece, whether or not readers get it. */
export async function entriesOfPiece(pieceId: string): Promise<StoredIndexEntry[]> {
  return (await sql.read(entriesInPiece(pieceId))).map(storedEntry);
}

/** For deeper folders, only the nearest folders and the root are shown. */
const MAX_BREADCRUMBS = 100;

/** The entry with this id; without one, or for "", the user's root folder. Throws 404 `entry_not_found`. */
export async function findEntry(document: IndexedDocument, id: string | undefined): Promise<StoredIndexEntry> {
  const { userId, indexKeys } = document;
  if (id && !isEntryId(id)) throw entryNotFound();
  const [entry] = id
    ? await entriesById(document, [id])
    : (await sql.read(firstFolder(userId, indexKeys.ofPath(USERS)))).map(storedEntry);
  if (!entry) throw entryNotFound();
  return entry;
}

export type FolderEntry = StoredIndexEntry & { pathKey: string };

/** As `findEntry`, but for folders only: otherwise throws 400 `not_a_folder`. */
export async function findFolder(document: IndexedDocument, id: string | undefined): Promise<FolderEntry> {
  const { pathKey, ...entry } = await findEntry(document, id);
  if (pathKey === null) throw notAFolder();
  return { ...entry, pathKey };
}

/** The folders from the root to this one, both inclusive. */
export async function breadcrumbs(
  document: IndexedDocument,
  folder: StoredIndexEntry,
): Promise<{ id: string; name: string }[]> {
  const folders = await foldersAround(document, [folder], MAX_BREADCRUMBS - 1);
  const path = [folder];
  for (let above = folders.get(folder.parentKey); above; above = folders.get(above.parentKey)) path.unshift(above);
  const isCut = path.length === MAX_BREADCRUMBS && path[0]?.parentKey !== document.indexKeys.ofPath(USERS);
  if (isCut) path.unshift(await findEntry(document, undefined));
  return path.map(({ entryId, label }) => ({ id: entryId, name: label }));
}

/** The folders around these entries, by the hash of their path: one statement for each level, the nearest first. */
export async function foldersAround(
  { userId, indexKeys }: IndexedDocument,
  entries: readonly { parentKey: string }[],
  maxLevels: number,
): Promise<Map<string, StoredIndexEntry>> {
  const top = indexKeys.ofPath(USERS);
  const byPathKey = new Map<string, StoredIndexEntry>();
  let lowest = entries;
  for (let level = 0; level < maxLevels; level++) {
    const pathKeys = new Set(lowest.map(({ parentKey }) => parentKey));
    const sought = [...pathKeys].filter((pathKey) => pathKey !== top && !byPathKey.has(pathKey));
    if (sought.length === 0) break;
    const above = await foldersByPath(userId, sought);
    // Of several with one path, the first.
    for (const folder of above.toReversed()) byPathKey.set(folder.pathKey ?? "", folder);
    lowest = above;
  }
  return byPathKey;
}
