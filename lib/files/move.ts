import { pace } from "@/lib/turn-of-others";
import type { FolderAt } from "./change/base";
import { changeDocument } from "./change/change-document";
import { folderAt, parentOf } from "./change/folder-at";
import { allOneWith, type LocatedEntry, locatedAll } from "./change/located";
import { type Node, piecesBelow } from "./change/pieces-below";
import type { PlannedChange } from "./change/planned-change";
import { freeName, GivenNames, type NamesThere, namesThere, shownName, takenIn } from "./change/taken-names";
import { type EntryHead, type FileOwner, FOLDER, USERS } from "./document/entry";
import { foldCase } from "./document/fold-case";
import { FolderFinder } from "./document/folder-finder";
import { checkLocation, splitName } from "./document/names";
import { isSamePlace, isWithin, pathOf } from "./document/paths";
import { intoItself, rootFolder } from "./errors";
import type { OnExisting } from "./on-existing";
import { blocksOf } from "./pieces/outline";
import type { EntryPlace } from "./pieces/piece";

/** An entry being moved, and its new head. */
interface Moving {
  head: EntryHead;
  from: string;
  to: string;
  change: Partial<EntryHead>;
  /** It comes before its new folder in the document, so its text must move after that. */
  isBehind: boolean;
}

/** What a move did: the input of `moveBack`. */
export interface Moved {
  /** The version before it, which has what it replaced. */
  version: number;
  replaced: string[];
  /** The entries that got another name, with the name they had. */
  renamed: { id: string; name: string }[];
}

/**
 * Moves files, and folders with everything below them, into another folder. Entries already there stay as they are. At
 * most 1,000 at the same time. Throws 400 `too_many_entries`, 404 `entry_not_found`, 400 `not_a_folder`, 400
 * `root_folder`, 400 `into_itself`, 409 `name_taken` (a file can replace a file); then nothing is moved. `names` are
 * new names for some of them, by id.
 */
export async function moveEntries(
  user: FileOwner,
  entryIds: readonly string[],
  targetFolderId: string | undefined,
  onExisting: OnExisting,
  now: Date = new Date(),
  names: ReadonlyMap<string, string> = new Map(),
): Promise<Moved> {
  return changeDocument(user, now, async (change) => {
    const target = await folderAt(change, targetFolderId);
    const found = await locatedAll(change, entryIds);
    const folders = new FolderFinder(
      found.filter(({ head }) => head.type === FOLDER).map(({ head }) => [pathOf(head), true] as const),
    );
    // Entries below a moved folder move with it.
    const chosen = found.filter(({ head }) => !isSamePlace(head.location, target.path) && !folders.find(head.location));
    const nameOf = (head: EntryHead) => names.get(head.id) ?? shownName(head);
    const heads = chosen.map(({ head }) => ({ ...head, ...partsOf(head, nameOf(head)) }));
    const there = await namesThere(change, target, heads);
    const naming = {
      change,
      target,
      there,
      taken: heads.filter((head) => there(shownName(head), head.type === FOLDER)).length,
      onExisting,
      nameOf,
      names: new GivenNames(),
      replaced: new Set<string>(),
    };
    const along = new Map<string, LocatedEntry[]>();
    for (const one of await allOneWith(change, chosen)) {
      const path = foldCase(pathOf(one.head));
      along.set(path, [...(along.get(path) ?? []), one]);
    }

    const moved: Moved = { version: change.document.version, replaced: [], renamed: [] };
    const moving: Moving[] = [];
    const rows = { behind: [] as Node[], before: [] as Node[] };
    const turn = pace();
    for (const { row, head } of chosen) {
      await turn();
      const isFolder = head.type === FOLDER;
      const from = pathOf(head);
      if (isSamePlace(head.location, USERS)) throw rootFolder("Your own folder cannot be moved.");
      if (isFolder && isWithin(target.path, from)) throw intoItself();
      const all = isFolder ? along.get(foldCase(from)) : [{ row, head }];
      // An entry that is the same folder as another selected one has moved with it.
      if (!all) continue;
      if (isFolder) along.delete(foldCase(from));
      const name = await nameIn(naming, head);
      naming.names.add(name, isFolder);
      if (name !== shownName(head)) moved.renamed.push({ id: head.id, name: shownName(head) });
      const to = pathOf({ ...head, ...partsOf(head, name), location: target.path });
      checkLocation(to);
      const before = await Promise.all(all.map((one) => comesBefore(change, target.place, one.row)));
      // Folders that count as the same share one order: nobody can tell which of them an entry below is in.
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
    for (const pieces of [copied, await piecesBelow(change, rows.before)])
      for (const piece of pieces) change.touched.add(piece);
    if (moving.length === 0) return moved;
    moved.replaced.push(...naming.replaced);
    change.list(target.path, target.pieceIds, { add: moving.map(({ head }) => head.id), remove: [...naming.replaced] });
    const movedBy = finderOf(moving);
    change.edit = (entry) => {
      if (naming.replaced.has(entry.id)) return "remove";
      const moved = movedBy(entry);
      return moved?.isBehind ? "remove" : moved?.change;
    };
    if (copied.size === 0) return moved;
    const blocks = blocksOf(await change.outline()).filter((block) => block.some(({ id }) => copied.has(id)));
    const select = async (entries: readonly EntryHead[]) => {
      const wanted = entries.flatMap((entry): [string, Partial<EntryHead>][] => {
        const moved = movedBy(entry);
        return moved?.isBehind ? [[entry.id, moved.change]] : [];
      });
      return new Map(wanted);
    };
    change.add({ version: change.base, blocks, select });
    return moved;
  });
}

/** The parts in which a document stores the name of an entry like this one. */
function partsOf({ type }: EntryHead, name: string): { name: string; type?: string } {
  return type === FOLDER ? { name } : splitName(name);
}

/** The new head of an entry that is moved or below a moved one. */
function finderOf(moving: readonly Moving[]): (entry: EntryHead) => Pick<Moving, "change" | "isBehind"> | undefined {
  const byId = new Map(moving.map((one) => [one.head.id, one]));
  const folders = new FolderFinder(
    moving.filter(({ head }) => head.type === FOLDER).map((one) => [one.from, one] as const),
  );
  return (entry) => {
    const own = byId.get(entry.id);
    const above = own ? undefined : folders.find(entry.location);
    return above
      ? { change: { location: above.to + entry.location.slice(above.from.length) }, isBehind: above.isBehind }
      : own;
  };
}

interface Naming {
  change: PlannedChange;
  target: FolderAt;
  there: NamesThere;
  /** How many of the names are there. */
  taken: number;
  onExisting: OnExisting;
  /** The name that an entry should get. */
  nameOf: (head: EntryHead) => string;
  /** Names already assigned. */
  names: GivenNames;
  replaced: Set<string>;
}

async function nameIn(
  { change, target, there, taken, onExisting, nameOf, names, replaced }: Naming,
  head: EntryHead,
): Promise<string> {
  const name = nameOf(head);
  const isFolder = head.type === FOLDER;
  const existing = there(name, isFolder);
  if (!existing && !names.has(name, isFolder)) return name;
  if (onExisting === "keep") return freeName(change, target, name, isFolder, names);
  if (onExisting === "refuse") throw takenIn(target, name, existing, Math.max(0, taken - 1));
  if (!existing || names.has(name, isFolder) || existing.type === FOLDER || isFolder)
    throw takenIn(target, name, existing);
  replaced.add(existing.entryId);
  change.touched.add(existing.pieceId);
  return name;
}

/** Whether `place` is before an entry in the document. */
async function comesBefore(change: PlannedChange, place: EntryPlace | undefined, entry: EntryPlace): Promise<boolean> {
  if (!place) return false;
  const [first, second] = [await change.piece(place.pieceId), await change.piece(entry.pieceId)];
  return first.id === second.id ? place.start < entry.start : first.position < second.position;
}
