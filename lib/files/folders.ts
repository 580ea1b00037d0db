import { isEntryId } from "./entry-id";
import { USERS } from "./entry-rules";
import { entryNotFound, notAFolder } from "./errors";
import type { IndexedDocument } from "./index-document";
import { entriesById, firstIn, foldersByPath, type StoredIndexEntry } from "./index-rows";

/** A folder deeper than this shows its nearest folders and the root. */
const MOST_BREADCRUMBS = 100;

/** The entry with this id; the user's root folder without one, or for "". Throws 404 `entry_not_found`. */
export async function findEntry({ userId, keys }: IndexedDocument, id: string | undefined): Promise<StoredIndexEntry> {
  if (id && !isEntryId(id)) throw entryNotFound();
  const entry = id ? (await entriesById(userId, keys, [id]))[0] : await firstIn(userId, keys.ofPath(USERS));
  if (!entry) throw entryNotFound();
  return entry;
}

export type FolderEntry = StoredIndexEntry & { pathKey: string };

/** As `findEntry`, where that must be a folder: otherwise 400 `not_a_folder`. */
export async function findFolder(document: IndexedDocument, id: string | undefined): Promise<FolderEntry> {
  const { pathKey, ...entry } = await findEntry(document, id);
  if (pathKey === null) throw notAFolder();
  return { ...entry, pathKey };
}

/** The folders from the root to this one, both included. */
export async function breadcrumbs(document: IndexedDocument, folder: StoredIndexEntry): Promise<{ id: string; name: string }[]> {
  const { userId, keys } = document;
  const top = keys.ofPath(USERS);
  const way = [folder];
  for (let lowest: StoredIndexEntry | undefined = folder; lowest && lowest.parentKey !== top; ) {
    const above: StoredIndexEntry[] =
      way.length < MOST_BREADCRUMBS ? await foldersByPath(userId, [lowest.parentKey], 1) : [await findEntry(document, undefined)];
    lowest = above[0];
    if (lowest) way.unshift(lowest);
  }
  return way.map(({ entryId, label }) => ({ id: entryId, name: label }));
}
