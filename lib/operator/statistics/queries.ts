import { integer, integerOrNull, type RowOf, rowShape, textOrNull } from "@/lib/platform/db/statement";

const measurement = rowShape({ m: "Measurement" }, { name: "m.name", at: "m.at", value: "m.value" });
export type Measurement = RowOf<typeof measurement>;

/** The numbers from then on, the first ones first. */
export const measurementsSince = (since: Date) => measurement.from`
  "Measurement" m WHERE m."at" >= ${since} ORDER BY m."at", m."name"`;

const some = rowShape(
  {},
  {
    count: integer("count(*)"),
    last: textOrNull('MAX("id")'),
    sum: integerOrNull('CAST(SUM("sum") AS BIGINT)'),
    rows: integerOrNull('CAST(SUM("rows") AS BIGINT)'),
  },
);

/** How many users there are among the next `limit` after this one. */
export const someUsers = (after: string, limit: number) => some.from`(
  SELECT "id", 0 AS "sum", 1 AS "rows" FROM "User" WHERE "id" > ${after} ORDER BY "id" LIMIT ${limit}) AS "some"`;

/** The keys and their bytes of the next `limit` creators after this one. */
export const someKeys = (after: string, limit: number) => some.from`(
  SELECT "creatorId" AS "id", SUM("dataBytes") AS "sum", COUNT(*) AS "rows" FROM "Key"
  WHERE "creatorId" > ${after} GROUP BY "creatorId" ORDER BY "creatorId" LIMIT ${limit}) AS "some"`;

/** The bytes of the next `limit` documents after this user's, as readers get them. */
export const someDocuments = (after: string, limit: number) => some.from`(
  SELECT d."userId" AS "id", v."plainLength" AS "sum", 1 AS "rows"
  FROM "FileDocument" d JOIN "FileVersion" v ON v."userId" = d."userId" AND v."version" = d."version"
  WHERE d."userId" > ${after} ORDER BY d."userId" LIMIT ${limit}) AS "some"`;
