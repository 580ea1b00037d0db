import { changeOnFullDisk } from "./change/change-document";
import { parentOf } from "./change/folder-at";
import { allOneWith, locatedAll } from "./change/located";
import { piecesBelow } from "./change/pieces-below";
import { type FileOwner, FOLDER, USERS } from "./document/entry";
import { FolderFinder } from "./document/folder-finder";
import { isSamePlace, pathOf } from "./document/paths";
import { rootFolder } from "./errors";
import { entriesById } from "./index/find-rows";
import { indexedDocument } from "./index/indexed-document";

/** Whether one of these entries is a folder: with it goes everything in it. */
export async function hasFolder(user: FileOwner, entryIds: readonly string[]): Promise<boolean> {
  const document = await indexedDocument(user.id);
  const found = document ? await entriesById(user.id, document.keys, entryIds) : [];
  return found.some(({ pathKey }) => pathKey !== null);
}

/** The input of `restoreEntries`: the version that still has the entries. */
export interface Deleted {
  version: number;
  ids: string[];
}

/**
 * Deletes files, and folders with everything below them. At most 1,000 at the same time. Throws 400 `too_many_entries`,
 * 404 `entry_not_found`, 400 `root_folder`; then nothing is deleted.
 */
export async function deleteEntries(
  user: FileOwner,
  entryIds: readonly string[],
  now: Date = new Date(),
): Promise<Deleted> {
  return changeOnFullDisk(user, now, async (change) => {
    const gone = await allOneWith(change, await locatedAll(change, entryIds));
    if (gone.some(({ head }) => isSamePlace(head.location, USERS)))
      throw rootFolder("Your own folder cannot be deleted.");
    const ids = new Set(gone.map(({ head }) => head.id));
    const folders = new FolderFinder(
      gone.filter(({ head }) => head.type === FOLDER).map(({ head }) => [pathOf(head), true] as const),
    );
    for (const { head } of gone) {
      const parent = await parentOf(change, head);
      change.list(parent.path, parent.pieceIds, { remove: [head.id] });
    }
    const pieces = await piecesBelow(
      change,
      gone.map(({ row }) => row),
    );
    for (const piece of pieces) change.touched.add(piece);
    change.edit = ({ id, location }) => (ids.has(id) || folders.find(location) ? "remove" : undefined);
    return { version: change.document.version, ids: [...ids] };
  });
}
