import { setImmediate as turnOfOthers } from "node:timers/promises";
import { db } from "@/lib/db/client";
import { ApiError, invalidParameter } from "@/lib/errors";
import { isWithin } from "./below";
import { changeDocument } from "./change-document";
import type { Deleted } from "./delete";
import type { DocumentChange, FileOwner } from "./document-change";
import type { EntryHead } from "./entry-edit";
import { FOLDER, ID } from "./entry-rules";
import { folderAt, folderIfAny, freeName } from "./folder-at";
import { displayName, pathOf } from "./index-entry";
import { entriesById } from "./index-rows";
import { splitName } from "./names";
import { blocksOf, outlineOf } from "./outline";
import { scanEntries, scanLarge, textOfPiece } from "./scan";
import type { OpenVersion } from "./stored-pieces";

/** How many ids are looked for in one statement. */
const IDS_AT_ONCE = 500;

/**
 * Brings back what `deleteEntries` deleted: into the folder where it was, or the root folder where that is gone, as "name (2)"
 * where the name is taken. What is there already stays. Throws 410 `gone` when the old version was swept, 403 `files_limit`.
 */
export async function restoreEntries(user: FileOwner, { version, ids }: Deleted, now: Date = new Date()): Promise<void> {
  if (!Number.isInteger(version) || !ids.every((id) => ID.test(id))) throw invalidParameter("This is nothing that was deleted.");
  await changeDocument(user, now, async (change) => {
    const old = { userId: user.id, version, openedAt: Date.now() };
    const blocks = await retiredAfter(old);
    const heads = await headsOf(old, blocks, new Set(ids));
    const present = await presentIn(change, [...heads.keys()]);
    const restored = new Map<string, Partial<EntryHead>>();
    const folders: { from: string; to: string }[] = [];
    const names = new Map<string, Set<string>>();
    for (const head of heads.values()) {
      // SQLite answers within the turn of the event loop.
      await turnOfOthers();
      if (present.has(head.id) || folders.some(({ from }) => isWithin(head.location, from))) continue;
      const parent = (await folderIfAny(change, head.location)) ?? (await folderAt(change, undefined));
      const others = names.get(parent.path) ?? new Set();
      names.set(parent.path, others);
      const isFolder = head.type === FOLDER;
      const name = await freeName(change, parent, displayName({ label: head.name, type: head.type }), isFolder, others);
      others.add(name);
      const parts = isFolder ? { name } : splitName(name);
      const to = pathOf({ ...head, ...parts, location: parent.path });
      restored.set(head.id, { ...parts, location: parent.path });
      if (isFolder) folders.push({ from: pathOf(head), to });
      change.list(parent.path, parent.pieceIds, { add: [head.id] });
    }
    if (restored.size === 0) return;
    const select = async (entries: readonly EntryHead[]) => {
      const wanted = entries.flatMap((entry): [string, Partial<EntryHead>][] => {
        const own = restored.get(entry.id);
        if (own) return [[entry.id, own]];
        const above = folders.find(({ from }) => isWithin(entry.location, from));
        return above ? [[entry.id, { location: above.to + entry.location.slice(above.from.length) }]] : [];
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

/** The blocks that the next version no longer had. */
async function retiredAfter(old: OpenVersion) {
  const { userId, version } = old;
  const known = await db.fileVersion.findUnique({ where: { userId_version: { userId, version } }, select: { version: true } });
  if (!known) throw gone();
  const retired = await db.filePiece.findMany({ where: { userId, bornVersion: { lte: version }, retiredVersion: version + 1 }, select: { id: true } });
  const ids = new Set(retired.map(({ id }) => id));
  return blocksOf(await outlineOf(userId, version)).filter((block) => block.some(({ id }) => ids.has(id)));
}

/** The heads of the entries with these ids, in the document's order. Throws 410 `gone` where one is missing. */
async function headsOf(old: OpenVersion, blocks: Awaited<ReturnType<typeof retiredAfter>>, ids: ReadonlySet<string>): Promise<Map<string, EntryHead>> {
  const heads = new Map<string, EntryHead>();
  for (const block of blocks) {
    const [piece] = block;
    if (!piece) continue;
    const entries = block.length > 1 ? [await scanLarge(old, block)] : scanEntries(await textOfPiece(old, piece));
    for (const { id, type, name, location } of entries) if (ids.has(id)) heads.set(id, { id, type, name, location });
  }
  if (heads.size < ids.size) throw gone();
  return heads;
}

async function presentIn(change: DocumentChange, ids: readonly string[]): Promise<Set<string>> {
  const present = new Set<string>();
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE)
    for (const { entryId } of await entriesById(change.document.userId, change.document.keys, ids.slice(from, from + IDS_AT_ONCE))) present.add(entryId);
  return present;
}

const gone = () => new ApiError(410, "gone", "What was deleted is no longer kept, so it cannot be brought back.");
