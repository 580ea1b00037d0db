import { sql } from "@/lib/platform/db/client";
import { turnOfOthers } from "@/lib/platform/event-loop";
import { USERS } from "./document/entry";
import { summaryOf } from "./index/entry";
import { atOneVersion, foldersAround, type IndexedDocument, nameMatcher } from "./index/find";
import { nameSortKey } from "./index/order";
import { entriesInPieces, type SearchRow } from "./index/queries";
import { inListingTurn } from "./list";
import { outlineOf } from "./pieces/piece";
import type { EntrySummary } from "./schema";

/** Results of one search. */
export const MAX_MATCHES = 100;
/** Entries that one search reads, and per statement. */
const MAX_SEARCHED = 500_000;
const SEARCHED_AT_ONCE = 1_000;
/** Folders around a result that are named, the nearest ones. */
const MAX_ABOVE = 20;

export interface SearchMatch extends EntrySummary {
  /** The folder that it is in. */
  folderId: string;
  /** The names of the folders around it, outermost first, without the user's own folder. */
  folders: string[];
  /** Whether there are more folders around these. */
  isDeeper: boolean;
}

export interface Search {
  /** Sorted by name. */
  entries: SearchMatch[];
  /** Whether there are more than these. */
  hasMore: boolean;
  /** The number of entries that were searched, if there are more; else null. */
  searched: number | null;
}

/**
 * The files and folders in all folders whose names contain `text`, ignoring case: the first 100, of the first 500,000
 * entries. Yields to others after every 1,000. Throws as `inListingTurn` does.
 */
export async function searchFiles(userId: string, text: string, signal?: AbortSignal): Promise<Search> {
  const results = await inListingTurn(userId, signal, () =>
    atOneVersion(userId, async (document) => {
      const { rows, ...rest } = await scan(document, text, signal);
      return { entries: await withFolders(document, rows), ...rest };
    }),
  );
  return results ?? { entries: [], hasMore: false, searched: null };
}

async function scan({ userId, version, indexKeys }: IndexedDocument, text: string, signal: AbortSignal | undefined) {
  const matches = nameMatcher(text);
  const top = indexKeys.ofPath(USERS);
  const rows: SearchRow[] = [];
  let searched = 0;
  for (const ids of batchesOf(await outlineOf(userId, version))) {
    if (searched > 0) await turnOfOthers();
    signal?.throwIfAborted();
    const entries = await sql.read(entriesInPieces(ids));
    for (const entry of entries) {
      if (entry.parentKey === top || !matches(entry)) continue;
      if (rows.length === MAX_MATCHES) return { rows, hasMore: true, searched: null };
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

async function withFolders(document: IndexedDocument, rows: readonly SearchRow[]): Promise<SearchMatch[]> {
  const top = document.indexKeys.ofPath(USERS);
  const folders = await foldersAround(document, rows, MAX_ABOVE);
  const entries = rows.map((row) => {
    const names: string[] = [];
    let above = folders.get(row.parentKey);
    for (; above && above.parentKey !== top; above = folders.get(above.parentKey)) names.unshift(above.label);
    const folderId = folders.get(row.parentKey)?.entryId ?? "";
    return { ...summaryOf(row), folderId, folders: names, isDeeper: above === undefined };
  });
  const byName = entries.map((entry) => ({ sortKey: nameSortKey(entry.name), entry }));
  return byName.sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1)).map(({ entry }) => entry);
}
