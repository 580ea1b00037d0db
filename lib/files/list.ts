import { db, type Statements } from "@/lib/platform/db/client";
import { rateLimited } from "@/lib/platform/errors";
import { turnOfOthers } from "@/lib/platform/event-loop";
import { findQuotas } from "@/lib/platform/limits/quotas";
import { perProcess } from "@/lib/platform/process";
import { Queue } from "@/lib/platform/queue";
import { entryNotFound } from "./errors";
import { summaryOf } from "./index/entry";
import {
  atOneVersion,
  breadcrumbs,
  entriesById,
  type FolderEntry,
  findFolder,
  type IndexedDocument,
  nameMatcher,
} from "./index/find";
import {
  type Cursor,
  entriesInOrder,
  RANKS,
  type RangeEntry,
  readEntryCursor,
  type SortedBy,
  standingOf,
  writeEntryCursor,
} from "./index/order";
import type { EntrySummary } from "./schema";

interface ListOptions {
  /** The root folder by default. */
  folderId?: string;
  sort: SortedBy;
  descending: boolean;
  /** Only entries whose name contains this, ignoring case. */
  filter?: string;
  foldersOnly?: boolean;
  /** A cursor of another page, or "last". Any other value: the first page. */
  at?: string;
  /** The id of an entry: the page that has it, unless it is not in this folder. */
  showing?: string;
  /** Entries per page. */
  limit: number;
  /** Aborts the work between two statements. */
  signal?: AbortSignal;
}

interface FolderPage {
  entries: EntrySummary[];
  /** Number of entries in all, with the filter; null if not counted. */
  total: number | null;
  /** The number of the first entry, from 1, as far as counted. */
  first: number | null;
  /** Cursors of the previous and next page; null if there is none. */
  previous: string | null;
  next: string | null;
  /** True if so few entries match the filter that a full page would take too long: `next` or `previous` continues. */
  isPartial: boolean;
}

export interface FolderListing extends FolderPage {
  /** The id is "" if nothing was stored yet. */
  folder: { id: string; name: string };
  /** The root first, this folder last. */
  breadcrumbs: { id: string; name: string }[];
  used: FilesSummary;
  quota: FilesSummary;
}

/**
 * A page of a folder's entries, folders first. Its cost depends only on the rows shown, wherever in the folder it is.
 * Throws 404 `entry_not_found`, 400 `not_a_folder`, and as `inListingTurn` does.
 */
export async function listFolder(userId: string, options: ListOptions): Promise<FolderListing> {
  const { folderId, signal } = options;
  const listed = await inListingTurn(userId, signal, () =>
    atOneVersion(userId, async (document) => {
      signal?.throwIfAborted();
      const folder = await findFolder(document, folderId);
      return {
        folder: { id: folder.entryId, name: folder.label },
        breadcrumbs: await breadcrumbs(document, folder),
        ...(await folderPage(document, folder, options)),
      };
    }),
  );
  if (!listed && folderId) throw entryNotFound();
  const { entries, fileBytes: bytes } = await findQuotas(userId);
  return {
    ...(listed ?? (await nothingStored(userId))),
    used: await filesSummary(userId),
    quota: { entries, bytes },
  };
}

async function nothingStored(userId: string) {
  const { username } = await db.user.findUniqueOrThrow({ where: { id: userId }, select: { username: true } });
  const folder = { id: "", name: username };
  const page = { entries: [], total: 0, first: 1, previous: null, next: null, isPartial: false };
  return { ...page, folder, breadcrumbs: [folder] };
}

/** A user's stored files: number of files and folders, and bytes of the JSON document. */
export interface FilesSummary {
  entries: number;
  bytes: number;
}

/** How much the user has stored; zeros before the first import. */
export async function filesSummary(userId: string, statements: Statements = db): Promise<FilesSummary> {
  const version = await statements.fileVersion.findFirst({
    where: { userId },
    orderBy: { version: "desc" },
    select: { entries: true, plainLength: true },
  });
  return { entries: version?.entries ?? 0, bytes: Number(version?.plainLength ?? 0) };
}

/** Waiting listings per user. */
const MAX_WAITING = 8;

const tooMany = () =>
  rateLimited(1, "Too many lists of your files are being read right now. Wait a second and try again.");
const listings = perProcess(
  "listings",
  () => new Queue({ ofName: [{ count: 1 }] }, { ofName: [{ count: MAX_WAITING }], refusal: tooMany }),
);

/**
 * One listing at a time per user: a user with many concurrent requests waits, and nobody else does. Throws 429
 * `rate_limited`, or the signal's reason if the client has disconnected.
 */
export function inListingTurn<T>(userId: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  return listings.run([userId], () => {
    signal?.throwIfAborted();
    return work();
  });
}

/** Index rows read before others get their turn, and per page if a filter skips most of them. */
const SEEN_AT_ONCE = 250;
const MAX_SEEN = 10_000;

/** One page of a folder. Reads the rows of that page, or at most 10,000 with a filter. */
async function folderPage(document: IndexedDocument, folder: FolderEntry, options: ListOptions): Promise<FolderPage> {
  const { at = "", showing, sort, descending, limit } = options;
  if (showing) return pageShowing(document, folder, { ...options, showing });
  const cursor = readEntryCursor(at, sort, descending);
  const isBackwards = at === "last" || cursor?.side === "before";
  const scanned = await scan(document, folder, { ...options, cursor, isBackwards });
  // A short page before the cursor becomes the full first page; if nothing remains after it, the last page.
  if (isBackwards && !scanned.hasMore && scanned.rows.length < limit && cursor)
    return folderPage(document, folder, { ...options, at: "" });
  if (!isBackwards && cursor && scanned.rows.length === 0 && !scanned.isPartial)
    return folderPage(document, folder, { ...options, at: "last" });

  const rows = isBackwards ? scanned.rows.reverse() : scanned.rows;
  const hasPrevious = isBackwards ? scanned.hasMore : cursor !== undefined;
  const hasNext = isBackwards ? cursor !== undefined : scanned.hasMore;
  const isAll = !hasPrevious && !hasNext;
  const counted = isAll ? rows.length : options.filter || options.foldersOnly ? null : countOf(folder, rows.length);
  const before = beforeFirst(cursor, { isBackwards, hasPrevious }, { total: counted, rows: rows.length });
  const edges = { first: rows[0] ?? scanned.last, last: rows.at(-1) ?? scanned.last };
  // Skipped entries need not be read again.
  if (scanned.isPartial) edges[isBackwards ? "first" : "last"] = scanned.last;
  const link = (side: Cursor["side"], row: RangeEntry | undefined, passed: number | null) =>
    row ? writeEntryCursor({ side, standing: standingOf(row, sort), counted: passed }, sort, descending) : null;
  return {
    entries: rows.map(summaryOf),
    total: counted,
    first: before === null ? null : before + 1,
    previous: hasPrevious ? link("before", edges.first, before) : null,
    next: hasNext ? link("after", edges.last, before === null ? null : before + rows.length) : null,
    isPartial: scanned.isPartial,
  };
}

/** The first page if it has the entry, or else the page that begins with it. */
async function pageShowing(
  document: IndexedDocument,
  folder: FolderEntry,
  options: ListOptions & { showing: string },
): Promise<FolderPage> {
  const { showing, sort, descending } = options;
  const first = await folderPage(document, folder, { ...options, at: "", showing: "" });
  if (first.next === null || first.entries.some(({ id }) => id === showing)) return first;
  const [row] = await entriesById(document, [showing]);
  if (row?.parentKey !== folder.pathKey) return first;
  // Behind whatever comes just before it.
  const standing = { ...standingOf(row, sort), rowId: row.rowId + (descending ? 1 : -1), entryId: "" };
  const at = writeEntryCursor({ side: "after", standing, counted: null }, sort, descending);
  return folderPage(document, folder, { ...options, at, showing: "" });
}

interface Scanned {
  rows: RangeEntry[];
  hasMore: boolean;
  isPartial: boolean;
  /** The last row read. */
  last: RangeEntry | undefined;
}

/** The first `limit` entries on one side of the cursor, in reading order. */
async function scan(
  document: IndexedDocument,
  folder: FolderEntry,
  options: ListOptions & { cursor: Cursor | undefined; isBackwards: boolean },
): Promise<Scanned> {
  const { sort, descending, foldersOnly, limit, signal, filter = "", cursor, isBackwards } = options;
  const matches = nameMatcher(filter);
  const scanned: Scanned = { rows: [], hasMore: false, isPartial: false, last: undefined };
  const ranks = RANKS.filter((rank) => !foldersOnly || rank === 0);
  const from = cursor?.standing.rank;
  const remaining = (isBackwards ? ranks.toReversed() : ranks).filter(
    (rank) => from === undefined || (isBackwards ? rank <= from : rank >= from),
  );
  let seen = 0;
  for (const rank of remaining) {
    let after = rank === from ? cursor?.standing : undefined;
    for (;;) {
      const batch = Math.min(SEEN_AT_ONCE, filter === "" ? limit + 1 - scanned.rows.length : SEEN_AT_ONCE);
      const range = { parentKey: folder.pathKey, sort, descending: descending !== isBackwards, rank, after };
      const rows = await entriesInOrder(document.userId, { ...range, limit: batch });
      for (const row of rows) {
        if (scanned.rows.length === limit && row.isLive && matches(row)) return { ...scanned, hasMore: true };
        scanned.last = row;
        if (row.isLive && matches(row)) scanned.rows.push(row);
      }
      if (rows.length < batch) break;
      seen += rows.length;
      if (seen >= MAX_SEEN) return { ...scanned, hasMore: true, isPartial: scanned.rows.length < limit };
      after = scanned.last && standingOf(scanned.last, sort);
      await turnOfOthers();
      signal?.throwIfAborted();
    }
  }
  return scanned;
}

/** The number of entries of a folder: according to its own list, if plausible. Some documents have outdated lists. */
function countOf({ size }: FolderEntry, rows: number): number | null {
  return size > rows ? size : null;
}

/** The number of entries before the page. */
function beforeFirst(
  cursor: Cursor | undefined,
  { isBackwards, hasPrevious }: { isBackwards: boolean; hasPrevious: boolean },
  { total, rows }: { total: number | null; rows: number },
): number | null {
  if (!hasPrevious) return 0;
  if (!isBackwards) return cursor?.counted ?? null;
  const end = cursor ? cursor.counted : total;
  return end === null ? null : Math.max(0, end - rows);
}
