import { isWithin, piecesBelow } from "./below";
import { changeDocument } from "./change-document";
import type { DocumentChange, FileOwner } from "./document-change";
import type { EntryHead } from "./entry-edit";
import { FOLDER, USERS } from "./entry-rules";
import { intoItself, nameTaken, rootFolder } from "./errors";
import { checkLocation, type FolderAt, folderAt, freeName, type LocatedEntry, located, named, parentOf } from "./folder-at";
import { displayName, type Place, pathOf } from "./index-entry";
import { splitName } from "./names";
import { blocksOf } from "./outline";
import type { OnExisting } from "./put-file";

/** An entry on its way, with what it becomes. */
interface Moving {
  head: EntryHead;
  from: string;
  to: string;
  change: Partial<EntryHead>;
  /** It stands before its new folder, so its text must go behind that. */
  isBehind: boolean;
}

/**
 * Moves files, and folders with all below them, into another folder. What is there already stays as it is. Throws 404
 * `entry_not_found`, 400 `not_a_folder`, 400 `root_folder`, 400 `into_itself`, 409 `name_taken` (a file can replace a file); then nothing is moved.
 */
export async function moveEntries(
  user: FileOwner,
  entryIds: readonly string[],
  targetFolderId: string | undefined,
  onExisting: OnExisting,
  now: Date = new Date(),
): Promise<void> {
  await changeDocument(user, now, async (change) => {
    const target = await folderAt(change, targetFolderId);
    const found: LocatedEntry[] = [];
    for (const id of new Set(entryIds)) found.push(await located(change, id));
    const folders = found.filter(({ head }) => head.type === FOLDER).map(({ head }) => pathOf(head));
    // What lies below something that is moved goes along with it.
    const chosen = found.filter(({ head }) => head.location !== target.path && !folders.some((path) => isWithin(head.location, path)));

    const moving: Moving[] = [];
    const replaced = new Set<string>();
    const names = new Set<string>();
    const copied = new Set<string>();
    for (const { row, head } of chosen) {
      if (head.location === USERS) throw rootFolder("Your own folder cannot be moved.");
      if (head.type === FOLDER && isWithin(target.path, pathOf(head))) throw intoItself();
      const name = await nameIn(change, target, head, onExisting, names, replaced);
      names.add(name);
      const parts = head.type === FOLDER ? { name } : splitName(name);
      const to = pathOf({ ...head, ...parts, location: target.path });
      checkLocation(to);
      const isBehind = !(await comesBefore(change, target.place, row));
      moving.push({ head, from: pathOf(head), to, change: { ...parts, location: target.path }, isBehind });
      for (const piece of await piecesBelow(change, row)) {
        change.touched.add(piece);
        if (isBehind) copied.add(piece);
      }
      const parent = await parentOf(change, head);
      change.list(parent.path, parent.pieceIds, { remove: [head.id] });
    }
    if (moving.length === 0) return;
    change.list(target.path, target.pieceIds, { add: moving.map(({ head }) => head.id), remove: [...replaced] });
    const movedBy = finderOf(moving);
    change.edit = (entry) => {
      if (replaced.has(entry.id)) return "remove";
      const moved = movedBy(entry);
      return moved?.isBehind ? "remove" : moved?.change;
    };
    if (copied.size === 0) return;
    const blocks = blocksOf(await change.outline()).filter((block) => block.some(({ id }) => copied.has(id)));
    const select = async (entries: readonly EntryHead[]) => {
      const wanted = entries.flatMap((entry): [string, Partial<EntryHead>][] => {
        const moved = movedBy(entry);
        return moved?.isBehind ? [[entry.id, moved.change]] : [];
      });
      return new Map(wanted);
    };
    change.add({ version: change.base, blocks, select });
  });
}

/** What an entry's head becomes, if it is one that is moved or lies below one. */
function finderOf(moving: readonly Moving[]): (entry: EntryHead) => Pick<Moving, "change" | "isBehind"> | undefined {
  const byId = new Map(moving.map((one) => [one.head.id, one]));
  const folders = moving.filter(({ head }) => head.type === FOLDER);
  return (entry) => {
    const own = byId.get(entry.id);
    const above = own ? undefined : folders.find(({ from }) => isWithin(entry.location, from));
    return above ? { change: { location: above.to + entry.location.slice(above.from.length) }, isBehind: above.isBehind } : own;
  };
}

async function nameIn(
  change: DocumentChange,
  target: FolderAt,
  head: EntryHead,
  onExisting: OnExisting,
  names: Set<string>,
  replaced: Set<string>,
): Promise<string> {
  const name = displayName({ label: head.name, type: head.type });
  const existing = await named(change, target, name);
  if (!existing && !names.has(name)) return name;
  if (onExisting === "keep") return freeName(change, target, name, head.type === FOLDER, names);
  if (onExisting === "refuse" || !existing || names.has(name) || existing.type === FOLDER || head.type === FOLDER) throw nameTaken(name);
  replaced.add(existing.entryId);
  change.touched.add(existing.pieceId);
  return name;
}

/** Whether `place` is before an entry in the document. */
async function comesBefore(change: DocumentChange, place: Place | undefined, entry: Place): Promise<boolean> {
  if (!place) return false;
  const [first, second] = [await change.piece(place.pieceId), await change.piece(entry.pieceId)];
  return first.id === second.id ? place.start < entry.start : first.position < second.position;
}
