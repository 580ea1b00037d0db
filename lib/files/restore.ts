import { db } from "@/lib/db/client";
import { invalidParameter } from "@/lib/errors";
import { turnOfOthers } from "@/lib/turn-of-others";
import { changeDocument } from "./change/change-document";
import { folderAt, folderIfAny } from "./change/folder-at";
import { MOST_ENTRIES } from "./change/located";
import type { PlannedChange } from "./change/planned-change";
import { scanEntries, scanLarge, textOfPiece } from "./change/scan-pieces";
import { freeName, GivenNames } from "./change/taken-names";
import type { Deleted } from "./delete";
import { type EntryHead, type FileOwner, FOLDER } from "./document/entry";
import { foldCase } from "./document/fold-case";
import { FolderFinder } from "./document/folder-finder";
import { splitName } from "./document/names";
import { pathOf } from "./document/paths";
import { isEntryId } from "./entry-id";
import { gone, tooManyEntries } from "./errors";
import { displayName } from "./index/entry-row";
import { entriesById } from "./index/find-rows";
import { blocksOf, outlineOf } from "./pieces/outline";
import type { OpenVersion } from "./pieces/take";

/** Ids looked up per statement. */
const IDS_AT_ONCE = 500;

/** A restored folder: its path before and now, and its name once it has one. */
interface Restored {
  from: string;
  to: string;
  name?: string;
}

/**
 * Restores what `deleteEntries` deleted: into its former folder, or the root folder if that no longer exists; as "name
 * (2)" if the name is taken. Existing entries stay. Throws 410 `gone` if the old version was swept, 403 `files_limit`.
 */
export async function restoreEntries(
  user: FileOwner,
  { version, ids }: Deleted,
  now: Date = new Date(),
): Promise<void> {
  if (ids.length > MOST_ENTRIES) throw tooManyEntries(MOST_ENTRIES);
  if (!Number.isInteger(version) || !ids.every(isEntryId)) throw invalidParameter("This is not something you deleted.");
  await changeDocument(user, now, async (change) => {
    const old = { userId: user.id, version, openedAt: performance.now() };
    const blocks = await retiredAfter(old);
    const found = await headsIn(old, blocks, new Set(ids));
    const present = await presentIn(change, [...found.keys()]);
    const heads = [...found.values()].filter(({ id }) => !present.has(id));
    const folders = heads.filter(({ type }) => type === FOLDER).map(pathOf);
    // Folders that count as the same are restored as one.
    const above = new FolderFinder(folders.map((from): [string, Restored] => [from, { from, to: "" }]));
    const restored = new Map<string, Partial<EntryHead>>();
    const names = new Map<string, GivenNames>();
    for (const head of heads) {
      // SQLite runs within the turn of the event loop.
      await turnOfOthers();
      if (above.find(head.location)) continue;
      const parent = (await folderIfAny(change, head.location)) ?? (await folderAt(change, undefined));
      const others = names.get(foldCase(parent.path)) ?? new GivenNames();
      names.set(foldCase(parent.path), others);
      const isFolder = head.type === FOLDER;
      const folder = isFolder ? above.find(pathOf(head)) : undefined;
      const name =
        folder?.name ??
        (await freeName(change, parent, displayName({ label: head.name, type: head.type }), isFolder, others));
      others.add(name, isFolder);
      const parts = isFolder ? { name } : splitName(name);
      restored.set(head.id, { ...parts, location: parent.path });
      if (folder) Object.assign(folder, { name, to: pathOf({ ...head, ...parts, location: parent.path }) });
      change.list(parent.path, parent.pieceIds, { add: [head.id] });
    }
    if (restored.size === 0) return;
    const select = async (entries: readonly EntryHead[]) => {
      const wanted = entries.flatMap((entry): [string, Partial<EntryHead>][] => {
        const own = restored.get(entry.id);
        if (own) return [[entry.id, own]];
        const folder = above.find(entry.location);
        return folder ? [[entry.id, { location: folder.to + entry.location.slice(folder.from.length) }]] : [];
      });
      const there = await presentIn(
        change,
        wanted.map(([id]) => id),
      );
      return new Map(wanted.filter(([id]) => !there.has(id)));
    };
    change.add({ version: old, blocks, select });
  });
}

/** The blocks that the next version retired. */
async function retiredAfter(old: OpenVersion) {
  const { userId, version } = old;
  const known = await db.fileVersion.findUnique({
    where: { userId_version: { userId, version } },
    select: { version: true },
  });
  if (!known) throw gone();
  const retired = await db.filePiece.findMany({
    where: { userId, bornVersion: { lte: version }, retiredVersion: version + 1 },
    select: { id: true },
  });
  const ids = new Set(retired.map(({ id }) => id));
  return blocksOf(await outlineOf(userId, version)).filter((block) => block.some(({ id }) => ids.has(id)));
}

/** The heads of the entries with these ids, in the document's order. Throws 410 `gone` if one is missing. */
async function headsIn(
  old: OpenVersion,
  blocks: Awaited<ReturnType<typeof retiredAfter>>,
  ids: ReadonlySet<string>,
): Promise<Map<string, EntryHead>> {
  const heads = new Map<string, EntryHead>();
  for (const block of blocks) {
    const [piece] = block;
    if (!piece) continue;
    const entries = block.length > 1 ? [await scanLarge(old, block)] : await scanEntries(await textOfPiece(old, piece));
    for (const { id, type, name, location } of entries) if (ids.has(id)) heads.set(id, { id, type, name, location });
  }
  if (heads.size < ids.size) throw gone();
  return heads;
}

async function presentIn(change: PlannedChange, ids: readonly string[]): Promise<Set<string>> {
  const present = new Set<string>();
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE)
    for (const { entryId } of await entriesById(
      change.document.userId,
      change.document.keys,
      ids.slice(from, from + IDS_AT_ONCE),
    ))
      present.add(entryId);
  return present;
}
