import { Prisma } from "@/lib/platform/db/client";
import { integer, integerOrNull, type RowOf, rowShape, sqlChange, textOrNull } from "@/lib/platform/db/statement";

const server = rowShape(
  {},
  { version: textOrNull("current_setting('server_version')"), bytes: integer("pg_database_size(current_database())") },
);
/** PostgreSQL's version, and the size of the database with its indexes. */
export const serverFacts = () => server.from`(SELECT 1) AS one`;

const library = rowShape({}, { version: textOrNull("sqlite_version()") });
/** SQLite's version. */
export const sqliteVersion = () => library.from`(SELECT 1) AS one`;

/** Adds the row of the examination, as one that has ended, if there is none. */
export const addExamination = (id: string, now: Date) => sqlChange`
  INSERT INTO "Examination" ("id", "startedAt", "refreshedAt", "endedAt", "findings")
  VALUES (${id}, ${now}, ${now}, ${now}, '[]') ON CONFLICT ("id") DO NOTHING`;

const last = rowShape({}, { id: textOrNull('max("some"."id")') });
/** The last of the next `limit` users. */
export const lastOfNext = (after: string, limit: number) => last.from`(
  SELECT "id" FROM "User" WHERE "id" > ${after} ORDER BY "id" LIMIT ${limit}) AS "some"`;

const storing = rowShape(
  { u: "User" },
  {
    id: "u.id",
    hasFiles: integer(`CASE WHEN EXISTS (SELECT 1 FROM "FilePiece" p WHERE p."userId" = u."id") THEN 1 ELSE 0 END`),
  },
);
/** Users between two ids who have a key of theirs or something to be sealed with one, and whether they have files. */
export const usersStoring = (after: string, to: string) => storing.from`
  "User" u WHERE u."id" > ${after} AND u."id" <= ${to} AND (
    EXISTS (SELECT 1 FROM "UserKey" n WHERE n."userId" = u."id")
    OR EXISTS (SELECT 1 FROM "Key" k WHERE k."creatorId" = u."id")
    OR EXISTS (SELECT 1 FROM "FilePiece" p WHERE p."userId" = u."id"))
  ORDER BY u."id"`;

const clock = rowShape({}, { ms: integer("CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)") });
/** PostgreSQL's clock, in Unix milliseconds. */
export const serverClock = () => clock.from`(SELECT 1) AS one`;

const without = rowShape({}, { keys: integer("count(*)") });
/** How many keys are not held by their creators, visibly and without an end. */
export const creatorsWithout = () => without.from`
  "Key" k LEFT JOIN "Holder" h ON h."keyId" = k."id" AND h."userId" = k."creatorId"
  WHERE h."keyId" IS NULL OR h."until" IS NOT NULL OR h."hiddenAt" IS NOT NULL`;

const notSealed = rowShape(
  {},
  {
    keys: integer('(SELECT count(*) FROM "Key" WHERE "sealedWith" IS NULL)'),
    pieces: integer('(SELECT count(*) FROM "FileContent" WHERE "sealedWith" IS NULL)'),
  },
);
/** How much is stored in the clear, from before sealing. */
export const unsealed = () => notSealed.from`(SELECT 1) AS one`;

const counted = rowShape({}, { count: integer("count(*)") });
const countedUsers = rowShape({}, { count: integer('count(DISTINCT p."userId")') });
const under = (dataKeyIds: readonly number[]) => Prisma.sql`u."dataKeyId" IN (${Prisma.join([...dataKeyIds])})`;
/** How many keys' data, and how many users' files, are sealed under these data keys. */
export const keysUnder = (dataKeyIds: readonly number[]) => counted.from`
  "Key" k JOIN "UserKey" u ON u."userId" = k."creatorId" AND u."number" = k."sealedWith" WHERE ${under(dataKeyIds)}`;
export const usersWithFilesUnder = (dataKeyIds: readonly number[]) => countedUsers.from`
  "FileContent" f JOIN "FilePiece" p ON p."id" = f."pieceId"
  JOIN "UserKey" u ON u."userId" = p."userId" AND u."number" = f."sealedWith" WHERE ${under(dataKeyIds)}`;

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
