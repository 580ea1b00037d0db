// Loaded before the service: while the folder FULL_WHILE_THERE_IS exists, no database of this process may grow.
import { existsSync } from "node:fs";
import Database from "better-sqlite3";

/** SQLite's maximum (sqlite.org/limits.html) and minimum: with the minimum, the file keeps its size. */
const [NO_LIMIT, NO_MORE] = [4_294_967_294, 1];

const { exec } = Database.prototype;

function limit(database) {
  exec.call(database, `PRAGMA max_page_count=${existsSync(process.env.FULL_WHILE_THERE_IS) ? NO_MORE : NO_LIMIT}`);
}

function limitFirst(prototype, name, databaseOf) {
  const method = prototype[name];
  prototype[name] = function (...parameters) {
    limit(databaseOf(this));
    return method.apply(this, parameters);
  };
}

limitFirst(Database.prototype, "exec", (database) => database);
const Statement = Object.getPrototypeOf(new Database(":memory:").prepare("SELECT 1"));
for (const name of ["run", "get", "all", "iterate"]) limitFirst(Statement, name, (statement) => statement.database);
