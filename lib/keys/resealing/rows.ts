import { Prisma } from "@/lib/db/client";
import { jsonRows } from "@/lib/db/json-rows";
import { type RowOf, rowShape, sqlChange } from "@/lib/db/statement";

/** Keys per statement, and bytes of their data: SQLite does nothing else meanwhile. */
const ROWS = 200;
const BYTES = 1_000_000;

const stored = rowShape(
  { k: "Key" },
  {
    id: "k.id",
    creatorId: "k.creatorId",
    storedData: "k.data",
    sealedWith: "k.sealedWith",
    dataBytes: "k.dataBytes",
    createdAt: "k.createdAt",
  },
);
export type StoredKeyRow = RowOf<typeof stored>;

/** A place in the order of creators. */
export type PlaceOfKey = Pick<StoredKeyRow, "creatorId" | "createdAt" | "id">;

const after = (place: PlaceOfKey | string) =>
  typeof place === "string"
    ? Prisma.sql`k."creatorId" > ${place}`
    : Prisma.sql`(k."creatorId", k."createdAt", k."id") > (${place.creatorId}, ${place.createdAt}, ${place.id})`;

/** The first keys of which this is true: the bound is on the sum of what they were when sent. */
const some = (found: Prisma.Sql) => stored.from`(
  SELECT i."id", sum(i."dataBytes") OVER (ORDER BY i."creatorId", i."createdAt", i."id") - i."dataBytes" AS "before"
  FROM (
    SELECT k."id", k."creatorId", k."createdAt", k."dataBytes" FROM "Key" k WHERE ${found}
    ORDER BY k."creatorId", k."createdAt", k."id" LIMIT ${ROWS}) i) s
  JOIN "Key" k ON k."id" = s."id"
  WHERE s."before" < ${BYTES} ORDER BY k."creatorId", k."createdAt", k."id"`;

/** Some keys after a place or a creator, with their data: none is the end. */
export const keysAfter = (place: PlaceOfKey | string) => some(after(place));

/** The same, only keys of creators up to this one, and only those not sealed with the creator's newest key. */
export const toReseal = (place: PlaceOfKey | string, lastCreator: string) =>
  some(Prisma.sql`${after(place)} AND k."creatorId" <= ${lastCreator} AND (k."sealedWith" IS NULL OR EXISTS (
    SELECT 1 FROM "UserKey" n WHERE n."userId" = k."creatorId" AND n."number" > k."sealedWith"))`);

/** A key's data as it was read, and as it is to be stored. */
export type Resealed = [id: string, creatorId: string, before: string, data: string, sealedWith: number];

/**
 * Changes nothing of a key that was changed, handed over or deleted since it was read. The creator is compared so that
 * no index is used for it, as in `updates`.
 */
export const reseal = (rows: readonly Resealed[]) => sqlChange`
  UPDATE "Key" SET "data" = r."data", "sealedWith" = r."sealedWith" FROM (
    SELECT "row"->>0 AS "id", "row"->>1 AS "creatorId", "row"->>2 AS "before", "row"->>3 AS "data",
      CAST("row"->>4 AS INTEGER) AS "sealedWith"
    FROM ${jsonRows(rows)}) r
  WHERE "Key"."id" = r."id" AND "Key"."creatorId" || '' = r."creatorId" AND "Key"."data" = r."before"`;
