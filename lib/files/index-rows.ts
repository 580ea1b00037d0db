import { bytesStatement, Prisma } from "@/lib/db/client";
import { jsonRows } from "@/lib/db/json-rows";
import type { IndexEntry } from "./index-entry";

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
        entry.entryKey,
        entry.parentKey,
        entry.pathKey,
        entry.label,
        entry.type,
        entry.size,
        entry.edited,
        entry.isBase64 ? 1 : 0,
      ]);
    await bytesStatement(Prisma.sql`
      INSERT INTO "FileEntry" ("pieceId", "start", "entryKey", "parentKey", "pathKey", "label", "type", "size", "edited", "isBase64")
      SELECT "row"->>0, CAST("row"->>1 AS INTEGER), "row"->>2, "row"->>3, "row"->>4, "row"->>5, "row"->>6,
        CAST("row"->>7 AS BIGINT), CAST("row"->>8 AS BIGINT), CAST("row"->>9 AS BOOLEAN)
      FROM ${jsonRows(rows)} WHERE true ON CONFLICT DO NOTHING`);
  }
}

const COLUMNS = Prisma.raw(
  ["id", "pieceId", "start", "entryKey", "parentKey", "pathKey", "label", "type", "size", "edited", "isBase64"].map((name) => `e."${name}"`).join(", "),
);
/** Of what readers get now. */
const LIVE = Prisma.sql`JOIN "FilePiece" p ON p."id" = e."pieceId" AND p."bornVersion" IS NOT NULL AND p."retiredVersion" IS NULL`;

export type StoredIndexEntry = IndexEntry & { rowId: number };

/** The entries with one of these keys. */
export function entriesByKey(userId: string, column: "entryKey" | "pathKey" | "parentKey", keys: readonly string[]): Promise<StoredIndexEntry[]> {
  if (keys.length === 0) return Promise.resolve([]);
  const name = Prisma.raw(`e."${column}"`);
  return selected(Prisma.sql`SELECT ${COLUMNS} FROM "FileEntry" e ${LIVE} WHERE p."userId" = ${userId} AND ${name} IN (${Prisma.join(keys)}) ORDER BY e."id"`);
}

/** What lies in a folder, some at a time, each with a number above `after`. */
export function entriesIn(userId: string, parentKey: string, after: number, limit: number): Promise<StoredIndexEntry[]> {
  return selected(Prisma.sql`
    SELECT ${COLUMNS} FROM "FileEntry" e ${LIVE} WHERE p."userId" = ${userId} AND e."parentKey" = ${parentKey} AND e."id" > ${after}
    ORDER BY e."id" LIMIT ${limit}`);
}

/** Removes the rows of a piece that readers no longer get. */
export async function deleteIndex(pieceIds: readonly string[]): Promise<void> {
  for (const id of pieceIds) await bytesStatement(Prisma.sql`DELETE FROM "FileEntry" WHERE "pieceId" = ${id}`);
}

async function selected(statement: Prisma.Sql): Promise<StoredIndexEntry[]> {
  const rows = await bytesStatement(statement);
  return rows.map(([rowId, pieceId, start, entryKey, parentKey, pathKey, label, type, size, edited, isBase64]) => ({
    rowId: Number(rowId),
    pieceId: String(pieceId),
    start: Number(start),
    entryKey: String(entryKey),
    parentKey: String(parentKey),
    pathKey: String(pathKey),
    label: String(label),
    type: String(type),
    size: Number(size),
    edited: edited === null ? null : Number(edited),
    isBase64: Boolean(isBase64),
  }));
}
