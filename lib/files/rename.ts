import { isWithin, piecesBelow } from "./below";
import { changeDocument } from "./change-document";
import type { FileOwner } from "./document-change";
import { FOLDER, USERS } from "./entry-rules";
import { type EntrySummary, summaryOf } from "./entry-summary";
import { rootFolder } from "./errors";
import { checkLocation, located, parentOf, refuseTaken } from "./folder-at";
import { pathOf } from "./index-entry";
import { checkName, splitName } from "./names";

/**
 * Gives a file or folder another name, and everything below a folder its new location. Throws 400 `invalid_parameter` for the
 * name, 404 `entry_not_found`, 400 `root_folder`, 409 `name_taken`.
 */
export async function renameEntry(user: FileOwner, entryId: string, newName: string, now: Date = new Date()): Promise<EntrySummary> {
  checkName(newName);
  return changeDocument(user, now, async (change) => {
    const { row, head } = await located(change, entryId);
    if (head.location === USERS) throw rootFolder("Your own folder has your name, and keeps it.");
    const parts = head.type === FOLDER ? { name: newName, type: FOLDER } : splitName(newName);
    const summary = { ...summaryOf(row), name: newName, type: parts.type };
    const from = pathOf(head);
    const to = pathOf({ ...head, ...parts });
    if (from === to) return summary;

    const parent = await parentOf(change, head);
    await refuseTaken(change, parent, newName);
    checkLocation(to);
    change.list(parent.path, parent.pieceIds, {});
    for (const piece of head.type === FOLDER ? await piecesBelow(change, row) : [row.pieceId]) change.touched.add(piece);
    change.edit = ({ id, location }) => {
      if (id === head.id) return parts;
      return head.type === FOLDER && isWithin(location, from) ? { location: to + location.slice(from.length) } : undefined;
    };
    return summary;
  });
}
