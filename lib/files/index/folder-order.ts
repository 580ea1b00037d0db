import { sql } from "@/lib/db/client";
import { entriesInRange, type RowRange, type StoredIndexEntry, storedEntry } from "./rows";

export type SortedBy = "name" | "type" | "size" | "edited";

/** Folders come first in any order. */
export const RANKS = [0, 1] as const;

/** An entry's position in its folder's order: the columns of the order in the index. */
export interface Standing {
  rank: number;
  /** The sort value besides the name: a number, or bytes as hex digits. 0 when sorting by name. */
  value: number | string;
  nameKey: string;
  rowId: number;
  /** A change gives the entry a new row; it must not be listed twice. */
  entryId: string;
}

/**
 * The column of the order, which precedes the name in its index. Each index is an ordered list of a folder's entries.
 * Keys are stored, because the two databases neither compare text alike nor have indexes of expressions in Prisma's
 * models; without an index, a page of a million entries would sort them all (docs/security.md: entries of a folder).
 */
const COLUMN: Record<SortedBy, RowRange["order"][number] | undefined> = {
  name: undefined,
  type: "typeKey",
  size: "size",
  edited: "editedOrder",
};

export function standingOf(entry: StoredIndexEntry, sort: SortedBy): Standing {
  const { rank, nameKey, rowId, entryId } = entry;
  const value = { name: 0, type: entry.typeKey, size: entry.size, edited: entry.edited ?? 0 }[sort];
  return { rank, value, nameKey, rowId, entryId };
}

/** A part of the ordered list of a folder's files, or of its folders. */
export interface Range {
  parentKey: string;
  sort: SortedBy;
  descending: boolean;
  rank: number;
  /** Only entries after this one. */
  after?: Standing;
  limit: number;
}

/** An entry that is not live belongs to a former or future version, or is the one that the others follow. */
export type RangeEntry = StoredIndexEntry & { isLive: boolean };

/** The statement of `entriesInOrder`. */
export function rangeStatement({ parentKey, sort, descending, rank, after, limit }: Range) {
  const column = COLUMN[sort];
  const order = column ? ([column, "nameKey"] as const) : (["nameKey"] as const);
  return entriesInRange({ parentKey, rank, order, descending, after: after && valuesOf(after, sort), limit });
}

/** The entries of a range, at most `limit`. Reads only the index rows that it returns. */
export async function entriesInOrder(userId: string, range: Range): Promise<RangeEntry[]> {
  const rows = await sql.read(rangeStatement(range));
  return rows.map(({ owner, ...row }) => ({
    ...storedEntry(row),
    isLive: owner === userId && row.entryId !== range.after?.entryId,
  }));
}

function valuesOf({ value, nameKey, rowId }: Standing, sort: SortedBy): (string | number)[] {
  return [...(sort === "name" ? [] : [value]), nameKey, rowId];
}
