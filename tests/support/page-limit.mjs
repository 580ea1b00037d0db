// Loaded before the service: while the folder FULL_WHILE_THERE_IS exists, no database of this process may grow.
import { existsSync } from "node:fs";
import Database from "better-sqlite3";

/** The most that SQLite knows (sqlite.org/limits.html), and the least: the file stays as large as it is. */
const [NO_LIMIT, NO_MORE] = [4_294_967_294, 1];

const { exec, prepare } = Database.prototype;

function limited(database) {
  const most = existsSync(process.env.FULL_WHILE_THERE_IS) ? NO_MORE : NO_LIMIT;
  exec.call(database, `PRAGMA max_page_count=${most}`);
  return database;
}

Database.prototype.exec = function (sql) {
  return exec.call(limited(this), sql);
};
Database.prototype.prepare = function (sql) {
  return prepare.call(limited(this), sql);
};
