import { pace } from "@/lib/platform/event-loop";
import { foldCase } from "@/lib/platform/fold-case";
import { changeDocument, type PlannedChange } from "./change/change";
import {
  allOneWith,
  folderAt,
  type LocatedEntry,
  located,
  locatedAll,
  type Node,
  parentOf,
  piecesBelow,
} from "./change/located";
import { AssignedNames, fullName, nameFor, namesThere, requireFreeName } from "./change/names";
import {
  checkLocation,
  checkName,
  type EntryHead,
  type FileOwner,
  FOLDER,
  FolderFinder,
  foldersAmong,
  isSameLocation,
  isWithin,
  pathOf,
  splitName,
  USERS,
} from "./document/entry";
import { intoItself, rootFolder } from "./errors";
import { summaryOf } from "./index/entry";
import { blocksOf, type EntryPointer } from "./pieces/piece";
import { restoreEntries } from "./restore";
import type { EntrySummary, OnExisting } from "./schema";

/**
 * Undoes a move: the entries return into the folder `from` under their former names, or as "name (2)" if a name is
 * used there meanwhile; then what they replaced is restored. Throws as `moveEntries` does, and as `restoreEntries` if
 * that is no longer stored.
 */
export async function moveBack(
  user: FileOwner,
  { ids, from, version, replaced, renamed }: Moved & { ids: readonly string[]; from: string },
): Promise<void> {
  for (const { name } of renamed) checkName(name);
  const names = new Map(renamed.map(({ id, name }) => [id, name]));
  await moveEntries(user, ids, { to: from, onExisting: "keep", names });
  if (replaced.length > 0) await restoreEntries(user, { version, ids: replaced });
}

/** An entry being moved, and its new head. */
interface Moving {
  head: EntryHead;
  from: string;
  to: string;
  change: Partial<EntryHead>;
  /** It comes before its new folder in the document, so its text must move after that. */
  isBehind: boolean;
}

interface MoveOptions {
  /** The id of the target folder; the root folder by default. */
  to: string | undefined;
  onExisting: OnExisting;
  now?: Date;
  /** New names for some of the entries, by id. */
  names?: ReadonlyMap<string, string>;
}

/** What a move did: the input of `moveBack`. */
interface Moved {
  /** The version before it, which has what it replaced. */
  version: number;
  replaced: string[];
  /** The entries that got another name, with the name they had. */
  renamed: { id: string; name: string }[];
}

/**
 * Moves files, and folders with everything below them, into another folder. Entries already there stay as they are. At
 * most 1,000 at the same time. Throws 400 `too_many_entries`, 404 `entry_not_found`, 400 `not_a_folder`, 400
 * `root_folder`, 400 `into_itself`, 409 `name_taken` (a file can replace a file); then nothing is moved.
 */
export async function moveEntries(
  user: FileOwner,
  entryIds: readonly string[],
  { to: targetId, onExisting, now = new Date(), names = new Map() }: MoveOptions,
): Promise<Moved> {
  return changeDocument(user, now, async (change) => {
    const target = await folderAt(change, targetId);
    const selected = await locatedAll(change, entryIds);
    const folders = foldersAmong(selected.map(({ head }) => head));
    // Entries below a moved folder move with it.
    const chosen = selected.filter(
      ({ head }) => !isSameLocation(head.location, target.path) && !folders.find(head.location),
    );
    const nameOf = (head: EntryHead) => names.get(head.id) ?? fullName(head);
    const wanted = chosen.map(({ head }) => ({ name: nameOf(head), isFolder: head.type === FOLDER }));
    const there = await namesThere(change, target, wanted);
    const others = Math.max(0, wanted.filter(({ name, isFolder }) => there(name, isFolder)).length - 1);
    const assigned = new AssignedNames();
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
      if (isSameLocation(head.location, USERS)) throw rootFolder("Your own folder cannot be moved.");
      if (isFolder && isWithin(target.path, from)) throw intoItself();
      const all = isFolder ? along.get(foldCase(from)) : [{ row, head }];
      // An entry that is the same folder as another selected one has moved with it.
      if (!all) continue;
      if (isFolder) along.delete(foldCase(from));
      const wish = { name: nameOf(head), isFolder, existing: there(nameOf(head), isFolder) };
      const { name, replaced } = await nameFor(change, target, { ...wish, onExisting, assigned, others });
      if (replaced) moved.replaced.push(replaced.entryId);
      if (name !== fullName(head)) moved.renamed.push({ id: head.id, name: fullName(head) });
      const to = pathOf({ ...head, ...partsOf(head, name), location: target.path });
      checkLocation(to);
      const before = await Promise.all(all.map((one) => comesBefore(change, target.pointer, one.row)));
      // Folders that count as the same share one order: it is undefined which of them an entry below is in.
      const isBehind = before.includes(false);
      for (const one of all) {
        const parts = isFolder ? { name: name === head.name ? one.head.name : name } : splitName(name);
        moving.push({ head: one.head, from, to, change: { ...parts, location: target.path }, isBehind });
        rows[isBehind ? "behind" : "before"].push(one.row);
        const parent = await parentOf(change, one.head);
        change.list(parent, { remove: [one.head.id] });
      }
    }
    const copied = await piecesBelow(change, rows.behind);
    for (const pieces of [copied, await piecesBelow(change, rows.before)])
      for (const piece of pieces) change.touched.add(piece);
    if (moving.length === 0) return moved;
    change.list(target, { add: moving.map(({ head }) => head.id), remove: moved.replaced });
    const movedBy = finderOf(moving);
    const replaced = new Set(moved.replaced);
    change.edit = (entry) => {
      if (replaced.has(entry.id)) return "remove";
      const moved = movedBy(entry);
      return moved?.isBehind ? "remove" : moved?.change;
    };
    if (copied.size === 0) return moved;
    const blocks = blocksOf(await change.outline()).filter((block) => block.some(({ id }) => copied.has(id)));
    const select = async (entries: readonly EntryHead[]) => {
      const changes = entries.flatMap((entry): [string, Partial<EntryHead>][] => {
        const moved = movedBy(entry);
        return moved?.isBehind ? [[entry.id, moved.change]] : [];
      });
      return new Map(changes);
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

/** Whether `pointer` is before an entry in the document. */
async function comesBefore(
  change: PlannedChange,
  pointer: EntryPointer | undefined,
  entry: EntryPointer,
): Promise<boolean> {
  if (!pointer) return false;
  const [first, second] = [await change.piece(pointer.pieceId), await change.piece(entry.pieceId)];
  return first.id === second.id ? pointer.start < entry.start : first.position < second.position;
}

/**
 * Renames a file or folder, and updates the location of everything below a folder. Throws 400 `invalid_parameter` for
 * the name, 404 `entry_not_found`, 400 `root_folder`, 409 `name_taken`.
 */
export async function renameEntry(
  user: FileOwner,
  entryId: string,
  { name: newName, now = new Date() }: { name: string; now?: Date },
): Promise<EntrySummary> {
  checkName(newName);
  return changeDocument(user, now, async (change) => {
    const { row, head } = await located(change, entryId);
    if (isSameLocation(head.location, USERS)) throw rootFolder("Your own folder cannot be renamed.");
    const parts = head.type === FOLDER ? { name: newName, type: FOLDER } : splitName(newName);
    const summary = { ...summaryOf(row), name: newName, type: parts.type };
    const from = pathOf(head);
    const to = pathOf({ ...head, ...parts });
    if (from === to) return summary;

    const parent = await parentOf(change, head);
    const isFolder = head.type === FOLDER;
    // If only the case changes, the used name is the folder's own.
    if (!isFolder || !isSameLocation(from, to))
      await requireFreeName(change, parent, { name: newName, isFolder, own: entryId });
    checkLocation(to);
    change.list(parent, {});
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
