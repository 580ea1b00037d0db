import { bytesStatement, Prisma } from "@/lib/db/client";
import { jsonRows } from "@/lib/db/json-rows";
import { displayName, type IndexEntry } from "./index-entry";
import { type IndexKeys, nameBucket } from "./index-keys";

/** How many rows are written in one statement: SQLite does nothing else meanwhile. */
const ROWS_AT_ONCE = 2_000;

/** Writes rows of the index; those that are there already stay. Their pieces must exist. */
export async function insertIndex(entries: readonly IndexEntry[]): Promise<void> {
  for (let from = 0; from < entries.length; from += ROWS_AT_ONCE) {
    const rows = entries
      .slice(from, from + ROWS_AT_ONCE)
      .map((entry) => [
        entry.pieceId,
        entry.start,
        entry.entryId,
        entry.entryBucket,
        entry.parentKey,
        entry.nameBucket,
        entry.pathKey,
        entry.label,
        entry.type,
        entry.size,
        entry.edited,
        entry.isBase64 ? 1 : 0,
      ]);
    await bytesStatement(Prisma.sql`
      INSERT INTO "FileEntry"
        ("pieceId", "start", "entryId", "entryBucket", "parentKey", "nameBucket", "pathKey", "label", "type", "size", "edited", "isBase64")
      SELECT "row"->>0, CAST("row"->>1 AS INTEGER), "row"->>2, CAST("row"->>3 AS BIGINT), "row"->>4, CAST("row"->>5 AS INTEGER), "row"->>6,
        "row"->>7, "row"->>8, CAST("row"->>9 AS BIGINT), CAST("row"->>10 AS BIGINT), CAST("row"->>11 AS BOOLEAN)
      FROM ${jsonRows(rows)} WHERE true ON CONFLICT DO NOTHING`);
  }
}

const COLUMNS = Prisma.raw(
  ["id", "pieceId", "start", "entryId", "entryBucket", "parentKey", "nameBucket", "pathKey", "label", "type", "size", "edited", "isBase64"]
    .map((name) => `e."${name}"`)
    .join(", "),
);
/** Of what readers get now. */
const LIVE = Prisma.sql`JOIN "FilePiece" p ON p."id" = e."pieceId" AND p."bornVersion" IS NOT NULL AND p."retiredVersion" IS NULL`;

export type StoredIndexEntry = IndexEntry & { rowId: number };

/** The entries with these ids. */
export async function entriesById(userId: string, keys: IndexKeys, ids: readonly string[]): Promise<StoredIndexEntry[]> {
  if (ids.length === 0) return [];
  const buckets = [...new Set(ids.map((id) => keys.bucketOf(id)))];
  return selected(Prisma.sql`
    SELECT ${COLUMNS} FROM "FileEntry" e ${LIVE}
    WHERE p."userId" = ${userId} AND e."entryBucket" IN (${Prisma.join(buckets)}) AND e."entryId" IN (${Prisma.join([...ids])})`);
}

/** The folders with this path: several, where a document has them twice. */
export function foldersByPath(userId: string, pathKey: string): Promise<StoredIndexEntry[]> {
  return selected(Prisma.sql`SELECT ${COLUMNS} FROM "FileEntry" e ${LIVE} WHERE p."userId" = ${userId} AND e."pathKey" = ${pathKey} ORDER BY e."id"`);
}

/** What has one of these names in a folder. */
export async function entriesNamed(userId: string, parentKey: string, names: readonly string[]): Promise<StoredIndexEntry[]> {
  const buckets = [...new Set(names.map(nameBucket))];
  const found = await selected(Prisma.sql`
    SELECT ${COLUMNS} FROM "FileEntry" e ${LIVE}
    WHERE p."userId" = ${userId} AND e."parentKey" = ${parentKey} AND e."nameBucket" IN (${Prisma.join(buckets)})`);
  return found.filter((entry) => names.includes(displayName(entry)));
}

/** What lies in a folder, some at a time: the first `limit` behind `after`. */
export function entriesIn(userId: string, parentKey: string, after: StoredIndexEntry | undefined, limit: number): Promise<StoredIndexEntry[]> {
  return selected(Prisma.sql`
    SELECT ${COLUMNS} FROM "FileEntry" e ${LIVE} WHERE p."userId" = ${userId} AND e."parentKey" = ${parentKey}
      AND (e."nameBucket", e."id") > (${after?.nameBucket ?? -1}, ${after?.rowId ?? 0})
    ORDER BY e."nameBucket", e."id" LIMIT ${limit}`);
}

/** The entries that begin in a piece, whoever gets that. */
export function entriesOfPiece(pieceId: string): Promise<StoredIndexEntry[]> {
  return selected(Prisma.sql`SELECT ${COLUMNS} FROM "FileEntry" e WHERE e."pieceId" = ${pieceId} ORDER BY e."start"`);
}

/** Removes the rows of pieces that readers no longer get. */
export async function deleteIndex(pieceIds: readonly string[]): Promise<void> {
  for (const id of pieceIds) await bytesStatement(Prisma.sql`DELETE FROM "FileEntry" WHERE "pieceId" = ${id}`);
}

async function selected(statement: Prisma.Sql): Promise<StoredIndexEntry[]> {
  const rows = await bytesStatement(statement);
  return rows.map(([rowId, pieceId, start, entryId, entryBucket, parentKey, nameBucket, pathKey, label, type, size, edited, isBase64]) => ({
    rowId: Number(rowId),
    pieceId: String(pieceId),
    start: Number(start),
    entryId: String(entryId),
    entryBucket: Number(entryBucket),
    parentKey: String(parentKey),
    nameBucket: Number(nameBucket),
    pathKey: pathKey === null ? null : String(pathKey),
    label: String(label),
    type: String(type),
    size: Number(size),
    edited: edited === null ? null : Number(edited),
    isBase64: Boolean(isBase64),
  }));
}
