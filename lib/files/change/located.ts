import { turnOfOthers } from "@/lib/turn-of-others";
import type { EntryHead } from "../document/entry";
import { isEntryId } from "../entry-id";
import { entryNotFound, tooManyEntries } from "../errors";
import { entriesById, foldersByPath } from "../index/find-rows";
import { findEntry } from "../index/folders";
import type { StoredIndexEntry } from "../index/rows";
import type { ChangeBase } from "./base";
import { headOf, headsOf } from "./heads";

/** Entries per change: some hundred milliseconds of work. The page shows fewer at a time. */
export const MOST_ENTRIES = 1_000;
/** Folders looked up per statement. */
const FOLDERS_AT_ONCE = 100;

export type LocatedEntry = { row: StoredIndexEntry; head: EntryHead };

/** An entry with its full name and location. Throws 404 `entry_not_found`. */
export async function located(change: ChangeBase, id: string): Promise<LocatedEntry> {
  const row = await findEntry(change.document, id || "-");
  return { row, head: await headOf(change, row) };
}

/**
 * The same for many; each piece is read once. Throws 400 `too_many_entries`, and 404 `entry_not_found` if one does not
 * exist.
 */
export async function locatedAll(change: ChangeBase, ids: readonly string[]): Promise<LocatedEntry[]> {
  const wanted = [...new Set(ids)];
  if (wanted.length > MOST_ENTRIES) throw tooManyEntries(MOST_ENTRIES);
  if (!wanted.every(isEntryId)) throw entryNotFound();
  const { userId, keys } = change.document;
  const rows = new Map((await entriesById(userId, keys, wanted)).map((row) => [row.entryId, row]));
  const found = wanted.map((id) => rows.get(id));
  if (!found.every((row) => row !== undefined)) throw entryNotFound();
  return withHeads(change, found);
}

async function withHeads(change: ChangeBase, rows: readonly StoredIndexEntry[]): Promise<LocatedEntry[]> {
  const heads = await headsOf(change, rows);
  return rows.flatMap((row) => {
    const head = heads.get(row.entryId);
    return head ? [{ row, head }] : [];
  });
}

/** These entries, and the folders that count as the same because their paths differ only in case. */
export async function allOneWith(change: ChangeBase, entries: readonly LocatedEntry[]): Promise<LocatedEntry[]> {
  const known = new Set(entries.map(({ row }) => row.entryId));
  const keys = [...new Set(entries.flatMap(({ row }) => row.pathKey ?? []))];
  const others: StoredIndexEntry[] = [];
  for (let from = 0; from < keys.length; from += FOLDERS_AT_ONCE) {
    if (from > 0) await turnOfOthers();
    const folders = await foldersByPath(change.document.userId, keys.slice(from, from + FOLDERS_AT_ONCE));
    others.push(...folders.filter(({ entryId }) => !known.has(entryId)));
  }
  return [...entries, ...(await withHeads(change, others))];
}
