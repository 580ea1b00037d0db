import { USERS } from "../document/entry";
import { isEntryId } from "../entry-id";
import { entryNotFound, notAFolder } from "../errors";
import { entriesById, firstIn, foldersByPath } from "./find-rows";
import type { IndexedDocument } from "./indexed-document";
import type { StoredIndexEntry } from "./rows";

/** For deeper folders, only the nearest folders and the root are shown. */
const MOST_BREADCRUMBS = 100;

/** The entry with this id; without one, or for "", the user's root folder. Throws 404 `entry_not_found`. */
export async function findEntry({ userId, keys }: IndexedDocument, id: string | undefined): Promise<StoredIndexEntry> {
  if (id && !isEntryId(id)) throw entryNotFound();
  const entry = id ? (await entriesById(userId, keys, [id]))[0] : await firstIn(userId, keys.ofPath(USERS));
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
  const { userId, keys } = document;
  const top = keys.ofPath(USERS);
  const way = [folder];
  for (let lowest: StoredIndexEntry | undefined = folder; lowest && lowest.parentKey !== top; ) {
    const above: StoredIndexEntry[] =
      way.length < MOST_BREADCRUMBS
        ? await foldersByPath(userId, [lowest.parentKey], 1)
        : [await findEntry(document, undefined)];
    lowest = above[0];
    if (lowest) way.unshift(lowest);
  }
  return way.map(({ entryId, label }) => ({ id: entryId, name: label }));
}
