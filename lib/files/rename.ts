import { changeDocument } from "./change/change-document";
import { parentOf } from "./change/folder-at";
import { allOneWith, located } from "./change/located";
import { piecesBelow } from "./change/pieces-below";
import { refuseTaken } from "./change/taken-names";
import { type FileOwner, FOLDER, USERS } from "./document/entry";
import { checkLocation, checkName, splitName } from "./document/names";
import { isSamePlace, isWithin, pathOf } from "./document/paths";
import type { EntrySummary } from "./entry-summary";
import { rootFolder } from "./errors";
import { summaryOf } from "./index/entry-row";

/**
 * Renames a file or folder, and updates the location of everything below a folder. Throws 400 `invalid_parameter` for
 * the name, 404 `entry_not_found`, 400 `root_folder`, 409 `name_taken`.
 */
export async function renameEntry(
  user: FileOwner,
  entryId: string,
  newName: string,
  now: Date = new Date(),
): Promise<EntrySummary> {
  checkName(newName);
  return changeDocument(user, now, async (change) => {
    const { row, head } = await located(change, entryId);
    if (isSamePlace(head.location, USERS)) throw rootFolder("Your own folder cannot be renamed.");
    const parts = head.type === FOLDER ? { name: newName, type: FOLDER } : splitName(newName);
    const summary = { ...summaryOf(row), name: newName, type: parts.type };
    const from = pathOf(head);
    const to = pathOf({ ...head, ...parts });
    if (from === to) return summary;

    const parent = await parentOf(change, head);
    const isFolder = head.type === FOLDER;
    // If only the case changes, the taken name is the folder's own.
    if (!isFolder || !isSamePlace(from, to)) await refuseTaken(change, parent, newName, isFolder, entryId);
    checkLocation(to);
    change.list(parent.path, parent.pieceIds, {});
    const renamed = await allOneWith(change, [{ row, head }]);
    const ids = new Set(renamed.map((one) => one.head.id));
    const rows = renamed.map((one) => one.row);
    for (const piece of isFolder ? await piecesBelow(change, rows) : [row.pieceId]) change.touched.add(piece);
    change.edit = ({ id, location }) => {
      if (ids.has(id)) return parts;
      return isFolder && isWithin(location, from) ? { location: to + location.slice(from.length) } : undefined;
    };
    return summary;
  });
}
