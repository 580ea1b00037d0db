import { type Node, piecesBelow } from "./below";
import { changeDocument } from "./change-document";
import type { DocumentChange, FileOwner } from "./document-change";
import type { EntryHead } from "./entry-edit";
import { FOLDER, USERS } from "./entry-rules";
import { intoItself, nameTaken, rootFolder } from "./errors";
import { foldCase } from "./fold-case";
import { allOneWith, checkLocation, type FolderAt, folderAt, freeName, GivenNames, type LocatedEntry, locatedAll, parentOf } from "./folder-at";
import { FolderFinder } from "./folder-finder";
import type { Place } from "./index-entry";
import { splitName } from "./names";
import { type NamesThere, namesThere, shownName } from "./names-there";
import { blocksOf } from "./outline";
import { isSamePlace, isWithin, pathOf } from "./places";
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
 * Moves files, and folders with all below them, into another folder. What is there already stays as it is. At most 1,000 at once.
 * Throws 400 `too_many_entries`, 404 `entry_not_found`, 400 `not_a_folder`, 400 `root_folder`, 400 `into_itself`, 409 `name_taken` (a file can replace a file); then nothing is moved.
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
    const found = await locatedAll(change, entryIds);
    const folders = new FolderFinder(found.filter(({ head }) => head.type === FOLDER).map(({ head }) => [pathOf(head), true] as const));
    // What lies below something that is moved goes along with it.
    const chosen = found.filter(({ head }) => !isSamePlace(head.location, target.path) && !folders.find(head.location));
    const heads = chosen.map(({ head }) => head);
    const naming = { change, target, there: await namesThere(change, target, heads), onExisting, names: new GivenNames(), replaced: new Set<string>() };
    const along = new Map<string, LocatedEntry[]>();
    for (const one of await allOneWith(change, chosen)) {
      const path = foldCase(pathOf(one.head));
      along.set(path, [...(along.get(path) ?? []), one]);
    }

    const moving: Moving[] = [];
    const rows = { behind: [] as Node[], before: [] as Node[] };
    for (const { row, head } of chosen) {
      const isFolder = head.type === FOLDER;
      const from = pathOf(head);
      if (isSamePlace(head.location, USERS)) throw rootFolder("Your own folder cannot be moved.");
      if (isFolder && isWithin(target.path, from)) throw intoItself();
      const all = isFolder ? along.get(foldCase(from)) : [{ row, head }];
      // One that is one with a folder that was chosen, too, has gone with it.
      if (!all) continue;
      if (isFolder) along.delete(foldCase(from));
      const name = await nameIn(naming, head);
      naming.names.add(name, isFolder);
      const to = pathOf({ ...head, ...(isFolder ? { name } : splitName(name)), location: target.path });
      checkLocation(to);
      const before = await Promise.all(all.map((one) => comesBefore(change, target.place, one.row)));
      // What is one has one order: below it, nobody can tell of which of them it is.
      const isBehind = before.includes(false);
      for (const one of all) {
        const parts = isFolder ? { name: name === head.name ? one.head.name : name } : splitName(name);
        moving.push({ head: one.head, from, to, change: { ...parts, location: target.path }, isBehind });
        rows[isBehind ? "behind" : "before"].push(one.row);
        const parent = await parentOf(change, one.head);
        change.list(parent.path, parent.pieceIds, { remove: [one.head.id] });
      }
    }
    const copied = await piecesBelow(change, rows.behind);
    for (const pieces of [copied, await piecesBelow(change, rows.before)]) for (const piece of pieces) change.touched.add(piece);
    if (moving.length === 0) return;
    change.list(target.path, target.pieceIds, { add: moving.map(({ head }) => head.id), remove: [...naming.replaced] });
    const movedBy = finderOf(moving);
    change.edit = (entry) => {
      if (naming.replaced.has(entry.id)) return "remove";
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
  const folders = new FolderFinder(moving.filter(({ head }) => head.type === FOLDER).map((one) => [one.from, one] as const));
  return (entry) => {
    const own = byId.get(entry.id);
    const above = own ? undefined : folders.find(entry.location);
    return above ? { change: { location: above.to + entry.location.slice(above.from.length) }, isBehind: above.isBehind } : own;
  };
}

interface Naming {
  change: DocumentChange;
  target: FolderAt;
  there: NamesThere;
  onExisting: OnExisting;
  /** Of those that were given names already. */
  names: GivenNames;
  replaced: Set<string>;
}

async function nameIn({ change, target, there, onExisting, names, replaced }: Naming, head: EntryHead): Promise<string> {
  const name = shownName(head);
  const isFolder = head.type === FOLDER;
  const existing = there(name, isFolder);
  if (!existing && !names.has(name, isFolder)) return name;
  if (onExisting === "keep") return freeName(change, target, name, isFolder, names);
  if (onExisting === "refuse" || !existing || names.has(name, isFolder) || existing.type === FOLDER || isFolder) throw nameTaken(name);
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
