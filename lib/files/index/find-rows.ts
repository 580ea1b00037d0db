import { sql } from "@/lib/db/client";
import { turnOfOthers } from "@/lib/turn-of-others";
import { displayName } from "./entry-row";
import type { IndexKeys } from "./keys";
import {
  entriesInBuckets,
  entriesInPiece,
  entriesWithNames,
  firstFolder,
  foldersWithPaths,
  type StoredIndexEntry,
  storedEntry,
} from "./rows";
import { nameSortKey } from "./sort-key";

/** Limit for entries with one name or folders with one path; only specially crafted documents have more. */
const MOST_ALIKE = 100;
/** Buckets per statement, of the 256 that a document's entries are in. */
const BUCKETS_AT_ONCE = 8;

/** The entries with these ids. The ids of a bucket are adjacent in the index: only returned rows are read. */
export async function entriesById(
  userId: string,
  keys: IndexKeys,
  ids: readonly string[],
): Promise<StoredIndexEntry[]> {
  const found: StoredIndexEntry[] = [];
  const byBucket = new Map<number, string[]>();
  for (const id of new Set(ids)) {
    const bucket = keys.bucketOf(id);
    byBucket.set(bucket, [...(byBucket.get(bucket) ?? []), id]);
  }
  const buckets = [...byBucket.keys()];
  for (let from = 0; from < buckets.length; from += BUCKETS_AT_ONCE) {
    if (from > 0) await turnOfOthers();
    const some = buckets.slice(from, from + BUCKETS_AT_ONCE);
    const sought = some.flatMap((bucket) => byBucket.get(bucket) ?? []);
    const rows = await sql.read(entriesInBuckets(some, sought));
    found.push(...rows.filter(({ owner }) => owner === userId).map(storedEntry));
  }
  return found;
}

/**
 * The folders with one of these paths. A document may have several folders with one path; at most a hundred per path
 * are returned.
 */
export async function foldersByPath(
  userId: string,
  pathKeys: readonly string[],
  limit = MOST_ALIKE * pathKeys.length,
): Promise<StoredIndexEntry[]> {
  return (await sql.read(foldersWithPaths(userId, pathKeys, limit))).map(storedEntry);
}

/** The entries with one of these names in a folder, at least one for each. */
export async function entriesNamed(
  userId: string,
  parentKey: string,
  names: readonly string[],
): Promise<StoredIndexEntry[]> {
  if (names.length === 0) return [];
  const limit = MOST_ALIKE * names.length;
  const rows = await sql.read(entriesWithNames(userId, parentKey, names.map(nameSortKey), limit));
  const sought = new Set(names);
  return rows.map(storedEntry).filter((entry) => sought.has(displayName(entry)));
}

/** The user's own folder, and any other entry without a parent folder. */
export async function firstIn(userId: string, parentKey: string): Promise<StoredIndexEntry | undefined> {
  const [first] = await sql.read(firstFolder(userId, parentKey));
  return first && storedEntry(first);
}

/** The entries that begin in a piece, whether or not readers get it. */
export async function entriesOfPiece(pieceId: string): Promise<StoredIndexEntry[]> {
  return (await sql.read(entriesInPiece(pieceId))).map(storedEntry);
}
