import { bytesStatement, Prisma } from "@/lib/db/client";
import { COLUMNS, OWNER, type StoredIndexEntry, storedEntry } from "./index-rows";

export type SortedBy = "name" | "type" | "size" | "edited";

/** Folders come first in any order. */
export const RANKS = [0, 1] as const;

/** Where an entry stands among those of its folder: the columns of the index that the order has. */
export interface Standing {
  rank: number;
  /** What the order is by, beside the name: a number, or bytes as hex digits. By name it is 0. */
  value: number | string;
  nameKey: string;
  rowId: number;
  /** A change gives the entry another row, which must not come twice. */
  entryId: string;
}

/** The column of the order, which its index has before the name. Each index is an ordered list of a folder's entries. */
const COLUMN: Record<SortedBy, string | undefined> = { name: undefined, type: "typeKey", size: "size", edited: "editedOrder" };

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
  /** Those that follow this one in the order. */
  after?: Standing;
  limit: number;
}

/** One that is not live belongs to a version that readers get no more, or not yet; or it is the one that the others follow. */
export type RangeEntry = StoredIndexEntry & { isLive: boolean };

/** Its place in a row. */
const ENTRY_ID = 3;

/** The statement of `entriesInOrder`: one range of one index, read in the order that the index has. */
export function rangeStatement({ parentKey, sort, descending, rank, after, limit }: Range): Prisma.Sql {
  const column = COLUMN[sort];
  const names = [...(column ? [column] : []), "nameKey", "id"].map((name) => `e."${name}"`);
  const direction = descending ? " DESC" : "";
  const order = Prisma.raw(names.map((name) => name + direction).join(", "));
  const behind = after
    ? Prisma.sql`AND (${Prisma.raw(names.join(", "))}) ${Prisma.raw(descending ? "<" : ">")} (${Prisma.join(valuesOf(after, sort))})`
    : Prisma.empty;
  return Prisma.sql`
    SELECT ${COLUMNS}, ${OWNER} FROM "FileEntry" e WHERE e."parentKey" = ${parentKey} AND e."rank" = ${rank} ${behind} ORDER BY ${order} LIMIT ${limit}`;
}

/** The entries of a range, at most `limit`. Reads as many rows of the index as it answers. */
export async function entriesInOrder(userId: string, range: Range): Promise<RangeEntry[]> {
  const rows = await bytesStatement(rangeStatement(range));
  return rows.map((row) => ({ ...storedEntry(row), isLive: row.at(-1) === userId && row[ENTRY_ID] !== range.after?.entryId }));
}

function valuesOf({ value, nameKey, rowId }: Standing, sort: SortedBy): (Buffer | number)[] {
  const bytes = (hex: string) => Buffer.from(hex, "hex");
  return [...(sort === "name" ? [] : [typeof value === "string" ? bytes(value) : value]), bytes(nameKey), rowId];
}
