import { bytesStatement, Prisma } from "@/lib/db/client";
import { jsonRows } from "@/lib/db/json-rows";
import { env } from "@/lib/env";
import { pace, turnOfOthers } from "@/lib/turn-of-others";
import { displayName, type IndexEntry } from "./index-entry";
import type { IndexKeys } from "./index-keys";
import { nameSortKey } from "./sort-key";

/** How many rows are written in one statement: SQLite does nothing else meanwhile. */
export const ROWS_AT_ONCE = 500;
/** Of entries with one name or folders with one path, which only a document that was made to be strange has more of. */
const MOST_ALIKE = 100;
/** Of 256 that a document's entries are in. */
const BUCKETS_AT_ONCE = 8;
/** Of pieces whose rows are removed in one statement. */
const PIECES_AT_ONCE = 20;

/** Writes rows of the index; those that are there already get these keys. Their pieces must exist. */
export async function insertIndex(entries: readonly IndexEntry[]): Promise<void> {
  const turn = pace();
  for (let from = 0; from < entries.length; from += ROWS_AT_ONCE) {
    await turn();
    const rows = entries
      .slice(from, from + ROWS_AT_ONCE)
      .map((entry) => [
        entry.pieceId,
        entry.start,
        entry.entryId,
        entry.entryBucket,
        entry.parentKey,
        entry.rank,
        entry.nameKey,
        entry.typeKey,
        entry.pathKey,
        entry.label,
        entry.type,
        entry.size,
        entry.edited,
        entry.isBase64 ? 1 : 0,
      ]);
    await bytesStatement(Prisma.sql`
      INSERT INTO "FileEntry" ("pieceId", "start", "entryId", "entryBucket", "parentKey", "rank", "nameKey", "typeKey", "pathKey",
        "label", "type", "size", "edited", "editedOrder", "isBase64")
      SELECT "row"->>0, CAST("row"->>1 AS INTEGER), "row"->>2, CAST("row"->>3 AS BIGINT), "row"->>4, CAST("row"->>5 AS INTEGER),
        ${fromHex(6)}, ${fromHex(7)}, "row"->>8, "row"->>9, "row"->>10, CAST("row"->>11 AS BIGINT), CAST("row"->>12 AS BIGINT),
        COALESCE(CAST("row"->>12 AS BIGINT), 0), CAST("row"->>13 AS BOOLEAN)
      FROM ${jsonRows(rows)} WHERE true ON CONFLICT ("pieceId", "start") DO UPDATE SET
        "entryBucket" = EXCLUDED."entryBucket", "parentKey" = EXCLUDED."parentKey", "rank" = EXCLUDED."rank", "nameKey" = EXCLUDED."nameKey",
        "typeKey" = EXCLUDED."typeKey", "pathKey" = EXCLUDED."pathKey"`);
  }
}

function fromHex(place: number): Prisma.Sql {
  return Prisma.raw(env.DATABASE_URL ? `decode("row"->>${place}, 'hex')` : `unhex("row"->>${place})`);
}

const NAMES = [
  "id",
  "pieceId",
  "start",
  "entryId",
  "entryBucket",
  "parentKey",
  "rank",
  "nameKey",
  "typeKey",
  "pathKey",
  "label",
  "type",
  "size",
  "edited",
  "isBase64",
];
/** What `storedEntry` takes. */
export const COLUMNS = Prisma.raw(NAMES.map((name) => `e."${name}"`).join(", "));
/** Of what readers get now. */
const LIVE = Prisma.sql`JOIN "FilePiece" p ON p."id" = e."pieceId" AND p."bornVersion" IS NOT NULL AND p."retiredVersion" IS NULL`;

/** Whose entry it is, if readers get it now. Asked for each row by itself: joined, the database might begin with the pieces. */
export const OWNER = Prisma.sql`
  (SELECT p."userId" FROM "FilePiece" p WHERE p."id" = e."pieceId" AND p."bornVersion" IS NOT NULL AND p."retiredVersion" IS NULL)`;

export type StoredIndexEntry = IndexEntry & { rowId: number };

/** The statement of `entriesById`, for ids that all lie in these buckets. */
export function byIdStatement(buckets: readonly number[], ids: readonly string[]): Prisma.Sql {
  return Prisma.sql`
    SELECT ${COLUMNS}, ${OWNER} FROM "FileEntry" e WHERE e."id" IN (
      SELECT i."id" FROM "FileEntry" i WHERE i."entryBucket" IN (${Prisma.join([...buckets])}) AND i."entryId" IN (${Prisma.join([...ids])}))`;
}

/** The entries with these ids. The index has the ids of a bucket beside one another: only rows that are answered are read. */
export async function entriesById(userId: string, keys: IndexKeys, ids: readonly string[]): Promise<StoredIndexEntry[]> {
  const found: StoredIndexEntry[] = [];
  const byBucket = new Map<number, string[]>();
  for (const id of new Set(ids)) {
    const bucket = keys.bucketOf(id);
    byBucket.set(bucket, [...(byBucket.get(bucket) ?? []), id]);
  }
  const buckets = [...byBucket.keys()];
  for (let from = 0; from < buckets.length; from += BUCKETS_AT_ONCE) {
    if (from > 0) await turnOfOthers();
    const some = buckets.slice(from, from + BUCKETS_AT_ONCE);
    const sought = some.flatMap((bucket) => byBucket.get(bucket) ?? []);
    const rows = await bytesStatement(byIdStatement(some, sought));
    found.push(...rows.filter((row) => row.at(-1) === userId).map(storedEntry));
  }
  return found;
}

/** The folders with one of these paths: several of one path, where a document has it twice, but never more than a hundred for each that is asked for. */
export function foldersByPath(userId: string, pathKeys: readonly string[], limit = MOST_ALIKE * pathKeys.length): Promise<StoredIndexEntry[]> {
  return selected(Prisma.sql`
    SELECT ${COLUMNS} FROM "FileEntry" e ${LIVE} WHERE p."userId" = ${userId} AND e."pathKey" IN (${Prisma.join([...pathKeys])}) ORDER BY e."id" LIMIT ${limit}`);
}

/** What has one of these names in a folder, at least one of each. */
export async function entriesNamed(userId: string, parentKey: string, names: readonly string[]): Promise<StoredIndexEntry[]> {
  if (names.length === 0) return [];
  const keys = Prisma.join(names.map((name) => Buffer.from(nameSortKey(name), "hex")));
  const found = await selected(Prisma.sql`
    SELECT ${COLUMNS} FROM "FileEntry" e ${LIVE}
    WHERE p."userId" = ${userId} AND e."parentKey" = ${parentKey} AND e."rank" IN (0, 1) AND e."nameKey" IN (${keys}) LIMIT ${MOST_ALIKE * names.length}`);
  const sought = new Set(names);
  return found.filter((entry) => sought.has(displayName(entry)));
}

/** The user's own folder, and whatever else has no folder around it. */
export async function firstIn(userId: string, parentKey: string): Promise<StoredIndexEntry | undefined> {
  const [first] = await selected(Prisma.sql`
    SELECT ${COLUMNS} FROM "FileEntry" e ${LIVE} WHERE p."userId" = ${userId} AND e."parentKey" = ${parentKey} AND e."rank" = 0 LIMIT 1`);
  return first;
}

/** The entries that begin in a piece, whoever gets that. */
export function entriesOfPiece(pieceId: string): Promise<StoredIndexEntry[]> {
  return selected(Prisma.sql`SELECT ${COLUMNS} FROM "FileEntry" e WHERE e."pieceId" = ${pieceId} ORDER BY e."start"`);
}

/** Removes the rows of pieces that readers no longer get. */
export async function deleteIndex(pieceIds: readonly string[]): Promise<void> {
  for (let from = 0; from < pieceIds.length; from += PIECES_AT_ONCE)
    await bytesStatement(Prisma.sql`DELETE FROM "FileEntry" WHERE "pieceId" IN (${Prisma.join(pieceIds.slice(from, from + PIECES_AT_ONCE))})`);
}

async function selected(statement: Prisma.Sql): Promise<StoredIndexEntry[]> {
  return (await bytesStatement(statement)).map(storedEntry);
}

/** A row of `COLUMNS`. */
export function storedEntry(row: readonly unknown[]): StoredIndexEntry {
  const [rowId, pieceId, start, entryId, entryBucket, parentKey, rank, nameKey, typeKey, pathKey, label, type, size, edited, isBase64] = row;
  return {
    rowId: Number(rowId),
    pieceId: String(pieceId),
    start: Number(start),
    entryId: String(entryId),
    entryBucket: Number(entryBucket),
    parentKey: String(parentKey),
    rank: Number(rank),
    nameKey: hex(nameKey),
    typeKey: hex(typeKey),
    pathKey: pathKey === null ? null : String(pathKey),
    label: String(label),
    type: String(type),
    size: Number(size),
    edited: edited === null ? null : Number(edited),
    isBase64: Boolean(isBase64),
  };
}

function hex(bytes: unknown): string {
  return bytes instanceof Uint8Array ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex") : "";
}
