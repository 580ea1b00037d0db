import { sql } from "@/lib/platform/db/client";
import { turnOfOthers } from "@/lib/platform/event-loop";
import { USERS } from "./document/entry";
import { summaryOf } from "./index/entry";
import { atOneVersion, foldersByPath, type IndexedDocument, nameMatcher } from "./index/find";
import { inListingTurn } from "./index/list";
import { nameSortKey } from "./index/order";
import { entriesInPieces, type FoundRow } from "./index/queries";
import { outlineOf } from "./pieces/piece";
import type { EntrySummary } from "./schema";

/** Results of one search. */
export const MAX_FOUND = 100;
/** Entries that one search looks through, and per statement. */
const MAX_SEARCHED = 500_000;
const SEARCHED_AT_ONCE = 1_000;
/** Folders around a result that are named, the nearest ones. */
const MAX_ABOVE = 20;

export interface FoundEntry extends EntrySummary {
  /** The folder that it is in. */
  folderId: string;
  /** The names of the folders around it, outermost first, without the user's own folder. */
  folders: string[];
  /** Whether there are more folders around these. */
  isDeeper: boolean;
}

export interface Search {
  /** Sorted by name. */
  entries: FoundEntry[];
  /** Whether there are more than these. */
  hasMore: boolean;
  /** The number of entries that were looked through, if there are more; else null. */
  searched: number | null;
}

/**
 * The files and folders in all folders whose names contain `text`, ignoring case: the first 100, of the first 500,000
 * entries. Yields to others after every 1,000. Throws as `inListingTurn` does.
 */
export async function searchFiles(userId: string, text: string, signal?: AbortSignal): Promise<Search> {
  const found = await inListingTurn(userId, signal, () =>
    atOneVersion(userId, async (document) => {
      const { rows, ...rest } = await scan(document, text, signal);
      return { entries: await withFolders(document, rows), ...rest };
    }),
  );
  return found ?? { entries: [], hasMore: false, searched: null };
}

async function scan({ userId, version, keys }: IndexedDocument, text: string, signal: AbortSignal | undefined) {
  const matches = nameMatcher(text);
  const top = keys.ofPath(USERS);
  const rows: FoundRow[] = [];
  let searched = 0;
  for (const ids of batchesOf(await outlineOf(userId, version))) {
    if (searched > 0) await turnOfOthers();
    signal?.throwIfAborted();
    const entries = await sql.read(entriesInPieces(ids));
    for (const entry of entries) {
      if (entry.parentKey === top || !matches(entry)) continue;
      if (rows.length === MAX_FOUND) return { rows, hasMore: true, searched: null };
      rows.push(entry);
    }
    searched += entries.length;
    if (searched >= MAX_SEARCHED) return { rows, hasMore: false, searched };
  }
  return { rows, hasMore: false, searched: null };
}

/** Ids of pieces in which about so many entries begin. */
function* batchesOf(pieces: readonly { id: string; entries: number }[]): Generator<string[]> {
  let ids: string[] = [];
  let entries = 0;
  for (const piece of pieces) {
    if (piece.entries === 0) continue;
    if (entries > 0 && entries + piece.entries > SEARCHED_AT_ONCE) {
      yield ids;
      [ids, entries] = [[], 0];
    }
    ids.push(piece.id);
    entries += piece.entries;
  }
  if (ids.length > 0) yield ids;
}

async function withFolders(document: IndexedDocument, rows: readonly FoundRow[]): Promise<FoundEntry[]> {
  const top = document.keys.ofPath(USERS);
  const known = await foldersAround(document, rows, top);
  const found = rows.map((row) => {
    const names: string[] = [];
    let above = known.get(row.parentKey);
    for (; above && above.parentKey !== top; above = known.get(above.parentKey)) names.unshift(above.label);
    const folderId = known.get(row.parentKey)?.entryId ?? "";
    return { ...summaryOf(row), folderId, folders: names, isDeeper: above === undefined };
  });
  const byName = found.map((entry) => ({ key: nameSortKey(entry.name), entry }));
  return byName.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ entry }) => entry);
}

/** The folders around these entries, by the key of their path: one statement for each level. */
async function foldersAround({ userId }: IndexedDocument, rows: readonly FoundRow[], top: string) {
  const known = new Map<string, { entryId: string; label: string; parentKey: string }>();
  let wanted = [...new Set(rows.map(({ parentKey }) => parentKey))];
  for (let level = 0; level < MAX_ABOVE && wanted.length > 0; level++) {
    const folders = await foldersByPath(userId, wanted);
    for (const folder of folders) known.set(folder.pathKey ?? "", folder);
    wanted = [...new Set(folders.map(({ parentKey }) => parentKey))].filter((key) => key !== top && !known.has(key));
  }
  return known;
}
