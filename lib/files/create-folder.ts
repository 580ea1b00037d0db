import { newId } from "@/lib/ids";
import { changeDocument } from "./change-document";
import type { DocumentChange, FileOwner } from "./document-change";
import { FOLDER } from "./entry-rules";
import type { EntrySummary } from "./entry-summary";
import { entryText, folderValues } from "./entry-text";
import { nameTaken } from "./errors";
import { checkLocation, type FolderAt, folderAt, named, refuseTaken } from "./folder-at";
import { checkName } from "./names";

/** Makes an empty folder. Throws 400 `invalid_parameter` for the name, 404 `entry_not_found`, 400 `not_a_folder`, 409 `name_taken`, 403 `files_limit`. */
export async function createFolder(user: FileOwner, parentId: string | undefined, name: string, now: Date = new Date()): Promise<EntrySummary> {
  checkName(name);
  return changeDocument(user, now, async (change) => {
    const parent = await folderAt(change, parentId);
    await refuseTaken(change, parent, name, true);
    return addFolder(change, parent, name);
  });
}

/** The folder with this name, made where there is none. Throws as `createFolder` does; 409 `name_taken` only for a file. */
export async function openFolder(user: FileOwner, parentId: string | undefined, name: string, now: Date = new Date()): Promise<{ id: string }> {
  checkName(name);
  return changeDocument(user, now, async (change) => {
    const parent = await folderAt(change, parentId);
    const existing = await named(change, parent, name, true);
    if (existing && existing.type !== FOLDER) throw nameTaken(name);
    return { id: existing?.entryId ?? addFolder(change, parent, name).id };
  });
}

function addFolder(change: DocumentChange, parent: FolderAt, name: string): EntrySummary {
  checkLocation(`${parent.path}/${name}`);
  const head = { id: newId(), type: FOLDER, name, location: parent.path };
  change.add({ text: entryText(folderValues(head, change.user, change.now)) });
  change.list(parent.path, parent.pieceIds, { add: [head.id] });
  return { id: head.id, name, type: FOLDER, isFolder: true, isText: false, size: 0, children: 0, edited: change.now.getTime() };
}
