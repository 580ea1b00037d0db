import { Prisma } from "@/lib/platform/db/client";
import { jsonRows, type RowOf, rowShape, sqlChange, textOrNull } from "@/lib/platform/db/statement";
import { env } from "@/lib/platform/env";
import { LIVE_SQL } from "../pieces/queries";

/** The columns of the index as they are read: `e` is the entry. */
const ENTRY = {
  rowId: "e.id",
  pieceId: "e.pieceId",
  start: "e.start",
  entryId: "e.entryId",
  entryBucket: "e.entryBucket",
  parentKey: "e.parentKey",
  // 0 for a folder, 1 for a file.
  rank: "e.rank",
  nameKey: "e.nameKey",
  typeKey: "e.typeKey",
  // Null for a file.
  pathKey: "e.pathKey",
  label: "e.label",
  type: "e.type",
  size: "e.size",
  edited: "e.edited",
  isBase64: "e.isBase64",
} as const;

/**
 * The entry's owner, if the entry is live. A subquery per row: with a join, the database might start from the pieces.
 */
const OWNER = textOrNull(`(SELECT p."userId" FROM "FilePiece" p WHERE p."id" = e."pieceId" AND ${LIVE_SQL.sql})`);

const entry = rowShape({ e: "FileEntry" }, ENTRY);
const ownedEntry = rowShape({ e: "FileEntry" }, { ...ENTRY, owner: OWNER });
export type EntryRow = RowOf<typeof entry>;

const LIVE = Prisma.sql`JOIN "FilePiece" p ON p."id" = e."pieceId" AND ${LIVE_SQL}`;

/** Entries with these ids, all of them in these buckets. */
export const entriesInBuckets = (buckets: readonly number[], ids: readonly string[]) => ownedEntry.from`
  "FileEntry" e WHERE e."id" IN (
    SELECT i."id" FROM "FileEntry" i
    WHERE i."entryBucket" IN (${Prisma.join([...buckets])}) AND i."entryId" IN (${Prisma.join([...ids])}))`;

export const foldersWithPaths = (userId: string, pathKeys: readonly string[], limit: number) => entry.from`
  "FileEntry" e ${LIVE} WHERE p."userId" = ${userId} AND e."pathKey" IN (${Prisma.join([...pathKeys])})
  ORDER BY e."id" LIMIT ${limit}`;

interface NamesInFolder {
  parentKey: string;
  /** Bytes as hex digits. */
  nameKeys: readonly string[];
  limit: number;
}

/** The entries with one of these names in a folder. */
export const entriesWithNames = (userId: string, { parentKey, nameKeys, limit }: NamesInFolder) => entry.from`
  "FileEntry" e ${LIVE} WHERE p."userId" = ${userId} AND e."parentKey" = ${parentKey} AND e."rank" IN (0, 1)
  AND e."nameKey" IN (${Prisma.join(nameKeys.map(bytesOf))}) LIMIT ${limit}`;

export const firstFolder = (userId: string, parentKey: string) => entry.from`
  "FileEntry" e ${LIVE} WHERE p."userId" = ${userId} AND e."parentKey" = ${parentKey} AND e."rank" = 0 LIMIT 1`;

/** The entries that begin in a piece, whether or not readers get it. */
export const entriesInPiece = (pieceId: string) => entry.from`
  "FileEntry" e WHERE e."pieceId" = ${pieceId} ORDER BY e."start"`;

const place = rowShape(
  { e: "FileEntry" },
  { start: "e.start", entryId: "e.entryId", parentKey: "e.parentKey", pathKey: "e.pathKey" },
);
/** The same, but only where they begin and what they belong to. */
export const placesInPiece = (pieceId: string) => place.from`
  "FileEntry" e WHERE e."pieceId" = ${pieceId} ORDER BY e."start"`;
export type EntryPlace = RowOf<typeof place>;

const searched = rowShape(
  { e: "FileEntry" },
  {
    entryId: "e.entryId",
    parentKey: "e.parentKey",
    label: "e.label",
    type: "e.type",
    size: "e.size",
    edited: "e.edited",
    isBase64: "e.isBase64",
  },
);
export type SearchRow = RowOf<typeof searched>;
/** What a search needs to know of the entries that begin in these pieces. */
export const entriesInPieces = (pieceIds: readonly string[]) => searched.from`
  "FileEntry" e WHERE e."pieceId" IN (${Prisma.join([...pieceIds])})`;

/** A range of a folder's entries, in the order of one index. */
export interface RowRange {
  parentKey: string;
  rank: number;
  /** The columns of the order, before the row's number. */
  order: readonly ("nameKey" | "typeKey" | "size" | "editedOrder")[];
  descending: boolean;
  /** Values of these columns and the row's number: only rows after them. Text is bytes as hex digits. */
  after?: readonly (number | string)[];
  limit: number;
}

/** One range of one index, read in the index's order. */
export function entriesInRange({ parentKey, rank, order, descending, after, limit }: RowRange) {
  const columns = [...order, "id"].map((name) => `e."${name}"`);
  const sorted = Prisma.raw(columns.map((column) => column + (descending ? " DESC" : "")).join(", "));
  const values = after?.map((value) => (typeof value === "string" ? bytesOf(value) : value));
  const behind = values
    ? Prisma.sql`AND (${Prisma.raw(columns.join(", "))}) ${Prisma.raw(descending ? "<" : ">")} (${Prisma.join(values)})`
    : Prisma.empty;
  return ownedEntry.from`
    "FileEntry" e WHERE e."parentKey" = ${parentKey} AND e."rank" = ${rank} ${behind}
    ORDER BY ${sorted} LIMIT ${limit}`;
}

const node = rowShape({ e: "FileEntry" }, { pieceId: "e.pieceId", pathKey: "e.pathKey", owner: OWNER });
export const nodesInFolders = (parentKeys: readonly string[], limit: number) => node.from`
  "FileEntry" e WHERE e."parentKey" IN (${Prisma.join([...parentKeys])}) LIMIT ${limit}`;

/** An index entry with its keys as hex digits (lib/files/index/order.ts). */
export type StoredIndexEntry = Omit<EntryRow, "nameKey" | "typeKey"> & { nameKey: string; typeKey: string };

export function storedEntry(row: EntryRow): StoredIndexEntry {
  return { ...row, nameKey: hexOf(row.nameKey), typeKey: hexOf(row.typeKey) };
}

/** The same without the row's number. */
export type IndexEntry = Omit<StoredIndexEntry, "rowId">;

/** Adds rows to the index; existing ones get these keys. Their pieces must exist. */
export const insertRows = (entries: readonly IndexEntry[]) => sqlChange`
  INSERT INTO "FileEntry" ("pieceId", "start", "entryId", "entryBucket", "parentKey", "rank", "nameKey", "typeKey",
    "pathKey", "label", "type", "size", "edited", "editedOrder", "isBase64")
  SELECT "row"->>0, CAST("row"->>1 AS INTEGER), "row"->>2, CAST("row"->>3 AS BIGINT), "row"->>4,
    CAST("row"->>5 AS INTEGER), ${fromHex(6)}, ${fromHex(7)}, "row"->>8, "row"->>9, "row"->>10,
    CAST("row"->>11 AS BIGINT), CAST("row"->>12 AS BIGINT), COALESCE(CAST("row"->>12 AS BIGINT), 0),
    CAST("row"->>13 AS BOOLEAN)
  FROM ${jsonRows(entries.map(asList))} WHERE true
  ON CONFLICT ("pieceId", "start") DO UPDATE SET "entryBucket" = EXCLUDED."entryBucket",
    "parentKey" = EXCLUDED."parentKey", "rank" = EXCLUDED."rank", "nameKey" = EXCLUDED."nameKey",
    "typeKey" = EXCLUDED."typeKey", "pathKey" = EXCLUDED."pathKey"`;

function asList(entry: IndexEntry): unknown[] {
  const { pieceId, start, entryId, entryBucket, parentKey, rank, nameKey, typeKey, pathKey } = entry;
  const { label, type, size, edited, isBase64 } = entry;
  const order = [entryBucket, parentKey, rank, nameKey, typeKey, pathKey];
  return [pieceId, start, entryId, ...order, label, type, size, edited, isBase64 ? 1 : 0];
}

const fromHex = (column: number) =>
  Prisma.raw(env.DATABASE_URL ? `decode("row"->>${column}, 'hex')` : `unhex("row"->>${column})`);
const bytesOf = (hex: string) => Buffer.from(hex, "hex");
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
