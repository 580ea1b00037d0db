import { isWithin, piecesBelow } from "./below";
import { changeDocument } from "./change-document";
import type { FileOwner } from "./document-change";
import { FOLDER, USERS } from "./entry-rules";
import { rootFolder } from "./errors";
import { type LocatedEntry, located, parentOf } from "./folder-at";
import { pathOf } from "./index-entry";

/** What `restoreEntries` takes: the version in which the entries are still there. */
export interface Deleted {
  version: number;
  ids: string[];
}

/** Deletes files, and folders with all below them. Throws 404 `entry_not_found`, 400 `root_folder`; then nothing is deleted. */
export async function deleteEntries(user: FileOwner, entryIds: readonly string[], now: Date = new Date()): Promise<Deleted> {
  return changeDocument(user, now, async (change) => {
    const gone: LocatedEntry[] = [];
    for (const id of new Set(entryIds)) gone.push(await located(change, id));
    if (gone.some(({ head }) => head.location === USERS)) throw rootFolder("Your own folder cannot be deleted.");
    const ids = new Set(gone.map(({ head }) => head.id));
    const folders = gone.flatMap(({ head }) => (head.type === FOLDER ? [pathOf(head)] : []));
    for (const { row, head } of gone) {
      const parent = await parentOf(change, head);
      change.list(parent.path, parent.pieceIds, { remove: [head.id] });
      for (const piece of await piecesBelow(change, row)) change.touched.add(piece);
    }
    change.edit = ({ id, location }) => (ids.has(id) || folders.some((path) => isWithin(location, path)) ? "remove" : undefined);
    return { version: change.document.version, ids: [...ids] };
  });
}
