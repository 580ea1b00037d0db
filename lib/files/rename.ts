import { piecesBelow } from "./below";
import { changeDocument } from "./change-document";
import type { FileOwner } from "./document-change";
import { FOLDER, USERS } from "./entry-rules";
import { type EntrySummary, summaryOf } from "./entry-summary";
import { rootFolder } from "./errors";
import { allOneWith, checkLocation, located, parentOf, refuseTaken } from "./folder-at";
import { checkName, splitName } from "./names";
import { isSamePlace, isWithin, pathOf } from "./places";

/**
 * Gives a file or folder another name, and everything below a folder its new location. Throws 400 `invalid_parameter` for the
 * name, 404 `entry_not_found`, 400 `root_folder`, 409 `name_taken`.
 */
export async function renameEntry(user: FileOwner, entryId: string, newName: string, now: Date = new Date()): Promise<EntrySummary> {
  checkName(newName);
  return changeDocument(user, now, async (change) => {
    const { row, head } = await located(change, entryId);
    if (isSamePlace(head.location, USERS)) throw rootFolder("Your own folder has your name, and keeps it.");
    const parts = head.type === FOLDER ? { name: newName, type: FOLDER } : splitName(newName);
    const summary = { ...summaryOf(row), name: newName, type: parts.type };
    const from = pathOf(head);
    const to = pathOf({ ...head, ...parts });
    if (from === to) return summary;

    const parent = await parentOf(change, head);
    const isFolder = head.type === FOLDER;
    // Where only the case of its letters changes, a folder has its own name already.
    if (!isFolder || !isSamePlace(from, to)) await refuseTaken(change, parent, newName, isFolder);
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
