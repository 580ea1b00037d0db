import { integer, rowShape, textOrNull } from "@/lib/db/statement";

const server = rowShape(
  {},
  { version: textOrNull("current_setting('server_version')"), bytes: integer("pg_database_size(current_database())") },
);
/** PostgreSQL's version, and the size of the database with its indexes. */
export const serverFacts = () => server.from`(SELECT 1) AS one`;

const library = rowShape({}, { version: textOrNull("sqlite_version()") });
/** SQLite's version. */
export const sqliteVersion = () => library.from`(SELECT 1) AS one`;
