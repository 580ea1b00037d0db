import { integer, rowShape, sqlChange, textOrNull } from "@/lib/platform/db/statement";

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
