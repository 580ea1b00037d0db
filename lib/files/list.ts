import { setImmediate as turnOfOthers } from "node:timers/promises";
import { db } from "@/lib/db/client";
import { env } from "@/lib/env";
import { invalidParameter } from "@/lib/errors";
import { type EntrySummary, summaryOf } from "./entry-summary";
import { entryNotFound } from "./errors";
import { breadcrumbs, type FolderEntry, findFolder } from "./folders";
import { atOneVersion, type IndexedDocument } from "./index-document";
import { entriesIn, type StoredIndexEntry } from "./index-rows";
import { type FilesSummary, filesSummary } from "./summary";

/** How many entries are looked at before others get their turn. */
const SEEN_AT_ONCE = 2_000;
const MOST_LISTED = 1_000;
/** How many entries are held while a folder is sorted. */
const MOST_HELD = 20_000;

export type SortedBy = "name" | "type" | "size" | "edited";

export interface ListOptions {
  /** The root folder, where it is left out. */
  folderId?: string;
  sort: SortedBy;
  descending: boolean;
  /** Only entries whose name has this in it, in any case of its letters. */
  filter?: string;
  foldersOnly?: boolean;
  /** From 1. */
  page?: number;
  /** How many entries a page has. */
  limit: number;
}

export interface FolderListing {
  /** The id is "" where nothing was stored yet. */
  folder: { id: string; name: string };
  /** The root first, this folder last. */
  breadcrumbs: { id: string; name: string }[];
  entries: EntrySummary[];
  /** How many there are in all, with the filter. */
  total: number;
  used: FilesSummary;
  quota: FilesSummary;
  /** 0: nothing was stored yet. */
  version: number;
}

type Compare = (a: EntrySummary, b: EntrySummary) => number;

const { compare: alphabetical } = new Intl.Collator("en", { numeric: true });
const byName: Compare = (a, b) => alphabetical(a.name, b.name) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
const BY: Record<SortedBy, Compare> = {
  name: byName,
  type: (a, b) => alphabetical(a.type, b.type),
  size: (a, b) => a.children - b.children || a.size - b.size,
  edited: (a, b) => (a.edited ?? 0) - (b.edited ?? 0),
};

/**
 * What lies in a folder, folders first. A folder of any size is read in steps between which others have their turn, and
 * no more of it is held than is answered. Throws 404 `entry_not_found`, 400 `not_a_folder`, 400 `invalid_parameter`.
 */
export async function listFolder(userId: string, options: ListOptions): Promise<FolderListing> {
  const { folderId, limit, page = 1 } = options;
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_LISTED) throw invalidParameter(`limit must be 1 to ${MOST_LISTED}.`);
  if (!Number.isInteger(page) || page < 1) throw invalidParameter("page must be a whole number from 1.");
  const listed = await atOneVersion(userId, async (document) => {
    const folder = await findFolder(document, folderId);
    const way = await breadcrumbs(document, folder);
    return { folder: way.at(-1), breadcrumbs: way, ...(await choosePage(document, folder, options, (page - 1) * limit)), version: document.version };
  });
  if (!listed && folderId) throw entryNotFound();
  const { folder = await emptyRoot(userId), ...found } = listed ?? { breadcrumbs: [await emptyRoot(userId)], entries: [], total: 0, version: 0 };
  const quota = { entries: env.FILE_ENTRIES_PER_USER, bytes: env.FILE_BYTES_PER_USER };
  return { ...found, folder, used: await filesSummary(userId), quota };
}

async function emptyRoot(userId: string): Promise<{ id: string; name: string }> {
  const { username } = await db.user.findUniqueOrThrow({ where: { id: userId }, select: { username: true } });
  return { id: "", name: username };
}

/** The entries behind the first `skipped`, which are passed in steps where they are many. */
async function choosePage(document: IndexedDocument, folder: FolderEntry, options: ListOptions, skipped: number) {
  let skip = skipped;
  let after: EntrySummary | undefined;
  for (; skip > MOST_HELD; skip -= MOST_HELD) {
    const { entries, total } = await choose(document, folder, options, MOST_HELD, after);
    if (entries.length < MOST_HELD) return { entries: [], total };
    after = entries.at(-1);
  }
  const { entries, total } = await choose(document, folder, options, skip + options.limit, after);
  return { entries: entries.slice(skip), total };
}

/** The first `most` of those that follow `after`, and how many there are of all. */
async function choose(document: IndexedDocument, folder: FolderEntry, options: ListOptions, most: number, after?: EntrySummary) {
  const compare = order(options);
  const sought = comparable(options.filter ?? "");
  const entries: EntrySummary[] = [];
  let total = 0;
  for (let last: StoredIndexEntry | undefined; ; ) {
    const rows = await entriesIn(document.userId, folder.pathKey, last, SEEN_AT_ONCE);
    for (const row of rows) {
      const entry = summaryOf(row);
      if ((options.foldersOnly && !entry.isFolder) || !comparable(entry.name).includes(sought)) continue;
      total++;
      if (!after || compare(entry, after) > 0) keep(entries, entry, compare, most);
    }
    last = rows.at(-1);
    if (rows.length < SEEN_AT_ONCE) return { entries, total };
    await turnOfOthers();
  }
}

/** No two entries are alike to it. */
function order({ sort, descending }: ListOptions): Compare {
  const chosen = BY[sort];
  return (a, b) =>
    Number(b.isFolder) - Number(a.isFolder) || (descending ? chosen(b, a) : chosen(a, b)) || byName(a, b) || (a.id < b.id ? -1 : Number(a.id > b.id));
}

/** Puts `entry` where it belongs among the first `limit`, if it does. */
function keep(entries: EntrySummary[], entry: EntrySummary, compare: Compare, limit: number): void {
  let low = 0;
  let high = entries.length;
  const last = entries.at(-1);
  if (last && compare(entry, last) >= 0) low = high;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = entries[middle];
    if (other && compare(entry, other) < 0) high = middle;
    else low = middle + 1;
  }
  if (low === limit) return;
  entries.splice(low, 0, entry);
  if (entries.length > limit) entries.pop();
}

function comparable(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
