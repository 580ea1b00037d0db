import { turnOfOthers } from "@/lib/turn-of-others";
import { type EntrySummary, summaryOf } from "./entry-summary";
import { type Cursor, readCursor, writeCursor } from "./folder-cursor";
import { entriesInOrder, RANKS, type RangeEntry, type SortedBy, standingOf } from "./folder-order";
import type { FolderEntry } from "./folders";
import type { IndexedDocument } from "./index-document";

/** How many rows of the index are looked at before others get their turn, and for one page where a filter passes most of them over. */
const SEEN_AT_ONCE = 1_000;
const MOST_SEEN = 10_000;

export interface PageOptions {
  sort: SortedBy;
  descending: boolean;
  /** Only entries whose name has this in it, in any case of its letters. */
  filter?: string;
  foldersOnly?: boolean;
  /** A cursor of another page, or "last". Anything else: the first page. */
  at?: string;
  /** How many entries a page has. */
  limit: number;
  /** Ends the work between two statements. */
  signal?: AbortSignal;
}

export interface FolderPage {
  entries: EntrySummary[];
  /** How many entries there are in all, with the filter; null where that was not counted. */
  total: number | null;
  /** The number of the first entry, from 1, as far as that was counted. */
  first: number | null;
  /** Cursors of the pages around this one; null where there is none. */
  previous: string | null;
  next: string | null;
  /** So many entries do not match the filter that a page of those that do would take too long: `next` or `previous` goes on. */
  isPartial: boolean;
}

/** One page of a folder. Reads the rows of that page, or with a filter at most 10,000. */
export async function folderPage(document: IndexedDocument, folder: FolderEntry, options: PageOptions): Promise<FolderPage> {
  const { at = "", sort, descending, limit } = options;
  const cursor = readCursor(at, sort, descending);
  const isBackwards = at === "last" || cursor?.side === "before";
  const found = await scan(document, folder, options, cursor, isBackwards);
  // A page with too little before it is the first one, and whole; where nothing is left behind, the last one is.
  if (isBackwards && !found.hasMore && found.rows.length < limit && cursor) return folderPage(document, folder, { ...options, at: "" });
  if (!isBackwards && cursor && found.rows.length === 0 && !found.isPartial) return folderPage(document, folder, { ...options, at: "last" });

  const rows = isBackwards ? found.rows.reverse() : found.rows;
  const hasPrevious = isBackwards ? found.hasMore : cursor !== undefined;
  const hasNext = isBackwards ? cursor !== undefined : found.hasMore;
  const isAll = !hasPrevious && !hasNext;
  const counted = isAll ? rows.length : options.filter || options.foldersOnly ? null : countOf(folder, rows.length);
  const before = beforeFirst(cursor, isBackwards, hasPrevious, counted, rows.length);
  const edges = { first: rows[0] ?? found.last, last: rows.at(-1) ?? found.last };
  // What was passed over need not be looked at again.
  if (found.isPartial) edges[isBackwards ? "first" : "last"] = found.last;
  const link = (side: Cursor["side"], row: RangeEntry | undefined, passed: number | null) =>
    row ? writeCursor({ side, standing: standingOf(row, sort), counted: passed }, sort, descending) : null;
  return {
    entries: rows.map(summaryOf),
    total: counted,
    first: before === null ? null : before + 1,
    previous: hasPrevious ? link("before", edges.first, before) : null,
    next: hasNext ? link("after", edges.last, before === null ? null : before + rows.length) : null,
    isPartial: found.isPartial,
  };
}

interface Found {
  rows: RangeEntry[];
  hasMore: boolean;
  isPartial: boolean;
  /** The last row that was looked at. */
  last: RangeEntry | undefined;
}

/** The first `limit` entries on one side of the cursor, in the order in which they are met. */
async function scan(document: IndexedDocument, folder: FolderEntry, options: PageOptions, cursor: Cursor | undefined, isBackwards: boolean): Promise<Found> {
  const { sort, descending, foldersOnly, limit, signal } = options;
  const sought = comparable(options.filter ?? "");
  const found: Found = { rows: [], hasMore: false, isPartial: false, last: undefined };
  const ranks = RANKS.filter((rank) => !foldersOnly || rank === 0);
  const from = cursor?.standing.rank;
  const way = (isBackwards ? ranks.toReversed() : ranks).filter((rank) => from === undefined || (isBackwards ? rank <= from : rank >= from));
  let seen = 0;
  for (const rank of way) {
    let after = rank === from ? cursor?.standing : undefined;
    for (;;) {
      const asked = Math.min(SEEN_AT_ONCE, sought === "" ? limit + 1 - found.rows.length : SEEN_AT_ONCE);
      const range = { parentKey: folder.pathKey, sort, descending: descending !== isBackwards, rank, after, limit: asked };
      const rows = await entriesInOrder(document.userId, range);
      for (const row of rows) {
        if (found.rows.length === limit && row.isLive && matches(row, sought)) return { ...found, hasMore: true };
        found.last = row;
        if (row.isLive && matches(row, sought)) found.rows.push(row);
      }
      if (rows.length < asked) break;
      seen += rows.length;
      if (seen >= MOST_SEEN) return { ...found, hasMore: true, isPartial: found.rows.length < limit };
      after = found.last && standingOf(found.last, sort);
      await turnOfOthers();
      signal?.throwIfAborted();
    }
  }
  return found;
}

/** How many entries a folder has: what its own list says, if that can be true. Documents exist whose lists are out of date. */
function countOf({ size }: FolderEntry, known: number): number | null {
  return size > known ? size : null;
}

/** How many entries stand before the page. */
function beforeFirst(cursor: Cursor | undefined, isBackwards: boolean, hasPrevious: boolean, total: number | null, rows: number): number | null {
  if (!hasPrevious) return 0;
  if (!isBackwards) return cursor?.counted ?? null;
  const end = cursor ? cursor.counted : total;
  return end === null ? null : Math.max(0, end - rows);
}

function matches(row: RangeEntry, sought: string): boolean {
  return sought === "" || comparable(summaryOf(row).name).includes(sought);
}

function comparable(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
