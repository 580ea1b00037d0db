import { newId } from "@/lib/ids";
import type { FolderAt } from "./change/base";
import { changeDocument } from "./change/change-document";
import { folderAt } from "./change/folder-at";
import type { PlannedChange } from "./change/planned-change";
import { named, refuseTaken, takenIn } from "./change/taken-names";
import { type FileOwner, FOLDER } from "./document/entry";
import { checkLocation, checkName } from "./document/names";
import { entryText, folderValues } from "./document/new-entry";
import type { EntrySummary } from "./entry-summary";

/**
 * Creates an empty folder. Throws 400 `invalid_parameter` for the name, 404 `entry_not_found`, 400 `not_a_folder`, 409
 * `name_taken`, 403 `files_limit`.
 */
export async function createFolder(
  user: FileOwner,
  parentId: string | undefined,
  name: string,
  now: Date = new Date(),
): Promise<EntrySummary> {
  checkName(name);
  return changeDocument(user, now, async (change) => {
    const parent = await folderAt(change, parentId);
    await refuseTaken(change, parent, name, true);
    return addFolder(change, parent, name);
  });
}

/** The folder with this name, created if missing. Throws as `createFolder` does; 409 `name_taken` only for a file. */
export async function openFolder(
  user: FileOwner,
  parentId: string | undefined,
  name: string,
  now: Date = new Date(),
): Promise<{ id: string }> {
  checkName(name);
  return changeDocument(user, now, async (change) => {
    const parent = await folderAt(change, parentId);
    const existing = await named(change, parent, name, true);
    if (existing && existing.type !== FOLDER) throw takenIn(parent, name, existing);
    return { id: existing?.entryId ?? addFolder(change, parent, name).id };
  });
}

function addFolder(change: PlannedChange, parent: FolderAt, name: string): EntrySummary {
  checkLocation(`${parent.path}/${name}`);
  const head = { id: newId(), type: FOLDER, name, location: parent.path };
  change.add({ text: entryText(folderValues(head, change.user, change.now)) });
  change.list(parent.path, parent.pieceIds, { add: [head.id] });
  return {
    id: head.id,
    name,
    type: FOLDER,
    isFolder: true,
    isText: false,
    size: 0,
    children: 0,
    edited: change.now.getTime(),
  };
}
