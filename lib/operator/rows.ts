import { integer, rowShape, sqlChange, textOrNull } from "@/lib/db/statement";

const server = rowShape(
  {},
  { version: textOrNull("current_setting('server_version')"), bytes: integer("pg_database_size(current_database())") },
);
/** PostgreSQL's version, and the size of the database with its indexes. */
export const serverFacts = () => server.from`(SELECT 1) AS one`;

const library = rowShape({}, { version: textOrNull("sqlite_version()") });
/** SQLite's version. */
export const sqliteVersion = () => library.from`(SELECT 1) AS one`;

/** Makes the row of the examination, as one that has ended, if there is none. */
export const placeExamination = (id: string, now: Date) => sqlChange`
  INSERT INTO "Examination" ("id", "startedAt", "refreshedAt", "endedAt", "findings")
  VALUES (${id}, ${now}, ${now}, ${now}, '[]') ON CONFLICT ("id") DO NOTHING`;
