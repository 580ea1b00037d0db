import { piecesBelow } from "./below";
import { changeOnFullDisk } from "./change-document";
import type { FileOwner } from "./document-change";
import { FOLDER, USERS } from "./entry-rules";
import { rootFolder } from "./errors";
import { allOneWith, locatedAll, parentOf } from "./folder-at";
import { FolderFinder } from "./folder-finder";
import { isSamePlace, pathOf } from "./places";

/** What `restoreEntries` takes: the version in which the entries are still there. */
export interface Deleted {
  version: number;
  ids: string[];
}

/**
 * Deletes files, and folders with all below them. At most 1,000 at once. Throws 400 `too_many_entries`,
 * 404 `entry_not_found`, 400 `root_folder`; then nothing is deleted.
 */
export async function deleteEntries(user: FileOwner, entryIds: readonly string[], now: Date = new Date()): Promise<Deleted> {
  return changeOnFullDisk(user, now, async (change) => {
    const gone = await allOneWith(change, await locatedAll(change, entryIds));
    if (gone.some(({ head }) => isSamePlace(head.location, USERS))) throw rootFolder("Your own folder cannot be deleted.");
    const ids = new Set(gone.map(({ head }) => head.id));
    const folders = new FolderFinder(gone.filter(({ head }) => head.type === FOLDER).map(({ head }) => [pathOf(head), true] as const));
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
