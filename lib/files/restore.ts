import { MAX_DOWNLOAD_MS } from "@/lib/platform/bounds";
import { db } from "@/lib/platform/db/client";
import { invalidParameter } from "@/lib/platform/errors";
import { turnOfOthers } from "@/lib/platform/event-loop";
import { foldCase } from "@/lib/platform/fold-case";
import { changeDocument, type PlannedChange } from "./change/change";
import { folderAt, MAX_ENTRIES, parentOf } from "./change/located";
import { AssignedNames, freeName, fullName } from "./change/names";
import { headsIn, removedAfter, retiredBlocks } from "./change/scan";
import type { Deleted } from "./delete";
import { type EntryHead, type FileOwner, FOLDER, FolderFinder, pathOf, splitName } from "./document/entry";
import { deletionExpired, tooManyEntries } from "./errors";
import { entriesById, indexedDocument } from "./index/find";
import { inListingTurn } from "./list";
import { outlineOf, versionedPieces } from "./pieces/piece";
import { isEntryId } from "./schema";

/** Deletions in one list, the newest ones; and how many entries of each are named. */
export const MAX_DELETIONS = 50;
const MAX_NAMES = 3;
/** Pieces of replaced contents read for one of them: with more, its first entries are named. */
const MAX_PIECES = 16;

/** Something that was deleted and can be restored. */
export interface PastDeletion {
  /** The version that still has it: the input of `restoreDeletion`. */
  version: number;
  /** Unix ms. */
  at: number;
  /** The number of files and folders, with everything in the folders. */
  entries: number;
  /** The first of them, without those inside deleted folders. */
  names: { name: string; type: string; isFolder: boolean }[];
  /** How many more there are beside those that are named; null if not counted. */
  more: number | null;
}

/**
 * What the user deleted in the last six hours and has not restored, the newest first: at most 50 deletions. Throws as
 * `inListingTurn` does.
 */
export async function listDeletions(
  { id: userId }: FileOwner,
  now: Date = new Date(),
  signal?: AbortSignal,
): Promise<PastDeletion[]> {
  return inListingTurn(userId, signal, async () => {
    const document = await indexedDocument(userId);
    if (!document) return [];
    const seen = new Set<string>();
    const deletions: PastDeletion[] = [];
    const shrunk = await shrinkages(userId, now);
    if (shrunk.length === 0) return [];
    const pieces = await versionedPieces(userId);
    for (const { version, at, entries } of shrunk) {
      signal?.throwIfAborted();
      const removed = await whileStored(userId, version, () => removedAfter({ userId, version }, pieces, MAX_PIECES));
      if (!removed || removed.heads.length > MAX_ENTRIES) continue;
      const ids = removed.heads.map(({ id }) => id);
      for (const { entryId } of await entriesById(document, ids)) seen.add(entryId);
      const missing = removed.heads.filter(({ id }) => !seen.has(id));
      for (const { id } of missing) seen.add(id);
      if (missing.length === 0) continue;
      const names = missing.slice(0, MAX_NAMES).map((head) => ({
        name: fullName(head),
        type: head.type,
        isFolder: head.type === FOLDER,
      }));
      const more = removed.isAll ? missing.length - names.length : null;
      deletions.push({ version, at, entries, names, more });
    }
    return deletions;
  });
}

/**
 * Restores all that a deletion of `listDeletions` removed, as `restoreEntries` does. Throws 410 `gone` if it is no
 * longer stored, and as `inListingTurn` does.
 */
export async function restoreDeletion(user: FileOwner, version: number): Promise<void> {
  const removed = await inListingTurn(user.id, undefined, () =>
    whileStored(user.id, version, async () =>
      removedAfter({ userId: user.id, version }, await versionedPieces(user.id)),
    ),
  );
  if (!removed || removed.heads.length === 0) throw deletionExpired();
  await restoreEntries(user, { version, ids: removed.heads.map(({ id }) => id) });
}

/** The result, or undefined if the version is not or no longer stored. */
async function whileStored<T>(userId: string, version: number, work: () => Promise<T>): Promise<T | undefined> {
  const isStored = async () => (await db.fileVersion.count({ where: { userId, version } })) > 0;
  if (!(await isStored())) return undefined;
  try {
    return await work();
  } catch (error) {
    if (await isStored()) throw error;
    return undefined;
  }
}

/** The versions after which the document had fewer entries. */
async function shrinkages(userId: string, now: Date) {
  const versions = await db.fileVersion.findMany({
    where: { userId },
    orderBy: { version: "desc" },
    select: { version: true, entries: true, publishedAt: true },
  });
  return versions
    .flatMap(({ version, entries }, index) => {
      const after = versions[index - 1];
      if (!after || after.version !== version + 1 || after.entries >= entries) return [];
      return [{ version, at: after.publishedAt.getTime(), entries: entries - after.entries }];
    })
    .filter(({ at }) => at + MAX_DOWNLOAD_MS > now.getTime())
    .slice(0, MAX_DELETIONS);
}

/** A restored folder: its path before and now, and its name once it has one. */
interface Restored {
  from: string;
  to: string;
  name?: string;
}

/**
 * Restores what `deleteEntries` deleted: into its former folder, or the root folder if that no longer exists; as "name
 * (2)" if the name is in use. Existing entries stay. Throws 410 `gone` if the old version was swept, 403 `files_limit`.
 */
export async function restoreEntries(
  user: FileOwner,
  { version, ids }: Deleted,
  now: Date = new Date(),
): Promise<void> {
  if (ids.length > MAX_ENTRIES) throw tooManyEntries(MAX_ENTRIES);
  if (!Number.isInteger(version) || !ids.every(isEntryId)) throw invalidParameter("There's nothing here to restore.");
  await changeDocument(user, now, async (change) => {
    const old = { userId: user.id, version, openedAt: performance.now() };
    if ((await db.fileVersion.count({ where: { userId: user.id, version } })) === 0) throw deletionExpired();
    const blocks = retiredBlocks(version, await outlineOf(user.id, version));
    const sought = new Set(ids);
    const deleted = new Map<string, EntryHead>();
    for (const block of blocks)
      for (const head of await headsIn(old, [block])) if (sought.has(head.id)) deleted.set(head.id, head);
    if (deleted.size < sought.size) throw deletionExpired();
    const present = await presentIn(change, [...sought]);
    const heads = [...deleted.values()].filter(({ id }) => !present.has(id));
    const folders = heads.filter(({ type }) => type === FOLDER).map(pathOf);
    // Folders that count as the same are restored as one.
    const above = new FolderFinder(folders.map((from): [string, Restored] => [from, { from, to: "" }]));
    const restored = new Map<string, Partial<EntryHead>>();
    const names = new Map<string, AssignedNames>();
    for (const head of heads) {
      // SQLite runs within the turn of the event loop.
      await turnOfOthers();
      if (above.find(head.location)) continue;
      const former = await parentOf(change, head);
      const parent = former.pointer ? former : await folderAt(change, undefined);
      const others = names.get(foldCase(parent.path)) ?? new AssignedNames();
      names.set(foldCase(parent.path), others);
      const isFolder = head.type === FOLDER;
      const folder = isFolder ? above.find(pathOf(head)) : undefined;
      const name = folder?.name ?? (await freeName(change, parent, { name: fullName(head), isFolder, others }));
      others.add(name, isFolder);
      const parts = isFolder ? { name } : splitName(name);
      restored.set(head.id, { ...parts, location: parent.path });
      if (folder) Object.assign(folder, { name, to: pathOf({ ...head, ...parts, location: parent.path }) });
      change.list(parent, { add: [head.id] });
    }
    if (restored.size === 0) return;
    const select = async (entries: readonly EntryHead[]) => {
      const changes = entries.flatMap((entry): [string, Partial<EntryHead>][] => {
        const own = restored.get(entry.id);
        if (own) return [[entry.id, own]];
        const folder = above.find(entry.location);
        return folder ? [[entry.id, { location: folder.to + entry.location.slice(folder.from.length) }]] : [];
      });
      const there = await presentIn(
        change,
        changes.map(([id]) => id),
      );
      return new Map(changes.filter(([id]) => !there.has(id)));
    };
    change.add({ version: old, blocks, select });
  });
}

async function presentIn({ document }: PlannedChange, ids: readonly string[]): Promise<Set<string>> {
  return new Set((await entriesById(document, ids)).map(({ entryId }) => entryId));
}
