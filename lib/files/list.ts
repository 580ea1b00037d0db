import { setImmediate as turnOfOthers } from "node:timers/promises";
import { z } from "zod";
import { env } from "@/lib/env";
import { invalidParameter } from "@/lib/errors";
import { FOLDER } from "./entry-rules";
import { entryNotFound } from "./errors";
import { breadcrumbs, findFolder } from "./folders";
import { atOneVersion, type IndexedDocument } from "./index-document";
import type { IndexEntry } from "./index-entry";
import { entriesIn, type StoredIndexEntry } from "./index-rows";
import { type FilesSummary, filesSummary } from "./summary";

/** How many entries are looked at before others get their turn. */
const SEEN_AT_ONCE = 2_000;
const MOST_LISTED = 1_000;

export type SortedBy = "name" | "type" | "size" | "edited";

/** A file or folder as a list shows it. */
export interface EntrySummary {
  id: string;
  /** As people see it, a file's with its extension; shortened to 255 characters and an extension. */
  name: string;
  /** ".folder", or the extension with its point; "" for a file without one. */
  type: string;
  isFolder: boolean;
  /** Bytes of a file's content; 0 for a folder. */
  size: number;
  /** How many children a folder names; 0 for a file. */
  children: number;
  /** Unix ms; null where the document does not say. */
  edited: number | null;
}

export interface ListOptions {
  /** The root folder, where it is left out. */
  folderId?: string;
  sort: SortedBy;
  descending: boolean;
  /** Only entries whose name has this in it, in any case of its letters. */
  filter?: string;
  /** The `next` of the list before. */
  after?: string;
  limit: number;
}

export interface FolderList {
  /** Null, and no breadcrumbs, where nothing was stored yet. */
  folder: { id: string; name: string } | null;
  /** The root first, this folder last. */
  breadcrumbs: { id: string; name: string }[];
  entries: EntrySummary[];
  /** How many there are in all, with the filter. */
  total: number;
  /** What to ask for what follows with; null where nothing does. */
  next: string | null;
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

const cursor = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  isFolder: z.boolean(),
  size: z.number(),
  children: z.number(),
  edited: z.number().nullable(),
}) satisfies z.ZodType<EntrySummary>;

/**
 * What lies in a folder, folders first. A folder of any size is read in steps between which others have their turn, and
 * no more of it is held than is answered. Throws 404 `entry_not_found`, 400 `not_a_folder`, 400 `invalid_parameter`.
 */
export async function listFolder(userId: string, options: ListOptions): Promise<FolderList> {
  const { folderId, limit } = options;
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_LISTED) throw invalidParameter(`limit must be 1 to ${MOST_LISTED}.`);
  const listed = await atOneVersion(userId, async (document) => {
    const folder = await findFolder(document, folderId);
    const way = await breadcrumbs(document, folder);
    return { folder: way.at(-1) ?? null, breadcrumbs: way, ...(await choose(document, folder, options)), version: document.version };
  });
  if (!listed && folderId !== undefined) throw entryNotFound();
  const used = await filesSummary(userId);
  const quota = { entries: env.FILE_ENTRIES_PER_USER, bytes: env.FILE_BYTES_PER_USER };
  return { ...(listed ?? { folder: null, breadcrumbs: [], entries: [], total: 0, next: null, version: 0 }), used, quota };
}

/** The first of those that follow `after`. */
async function choose(document: IndexedDocument, folder: StoredIndexEntry, { sort, descending, filter = "", after, limit }: ListOptions) {
  const compare: Compare = (a, b) =>
    Number(b.isFolder) - Number(a.isFolder) || (descending ? -BY[sort](a, b) : BY[sort](a, b)) || byName(a, b) || (a.id < b.id ? -1 : Number(a.id > b.id));
  const from = after === undefined ? undefined : decode(after);
  const sought = comparable(filter);
  const entries: EntrySummary[] = [];
  let total = 0;
  let following = 0;
  for (let last = 0; ; ) {
    const rows = await entriesIn(document.userId, folder.pathKey, last, SEEN_AT_ONCE);
    for (const row of rows) {
      const entry = summaryOf(document, row);
      if (!comparable(entry.name).includes(sought)) continue;
      total++;
      if (from && compare(entry, from) <= 0) continue;
      following++;
      keep(entries, entry, compare, limit);
    }
    last = rows.at(-1)?.rowId ?? 0;
    if (rows.length < SEEN_AT_ONCE) break;
    await turnOfOthers();
  }
  const end = entries.at(-1);
  return { entries, total, next: end && following > entries.length ? encode(end) : null };
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

/** An entry as lists show it. */
export function summaryOf({ keys }: IndexedDocument, { entryKey, label, type, size, edited }: IndexEntry): EntrySummary {
  const isFolder = type === FOLDER;
  const name = isFolder ? label : `${label}${type}`;
  return { id: keys.entryId(entryKey), name, type, isFolder, size: isFolder ? 0 : size, children: isFolder ? size : 0, edited };
}

function comparable(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

function encode(entry: EntrySummary): string {
  return Buffer.from(JSON.stringify(entry)).toString("base64url");
}

function decode(after: string): EntrySummary {
  try {
    return cursor.parse(JSON.parse(Buffer.from(after, "base64url").toString()));
  } catch {
    throw invalidParameter("after must be the next of a list.");
  }
}
