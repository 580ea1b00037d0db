import { renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { bringToDisk } from "@/lib/data-folder";
import { closeDatabase, sqliteFile } from "@/lib/db/client";

import { migrateSqlite } from "@/lib/db/migrate";
import { NotEmpty } from "./errors";

import type { BackupRow } from "./read";
import { fromPlain } from "./tables";

/** Builds a new file beside the database and swaps it in when complete: a failed restore changes nothing. */
export async function restoreIntoSqlite(
  rows: AsyncIterable<BackupRow>,
  migrations: string[],
  replace: boolean,
): Promise<number> {
  await closeDatabase();
  const file = sqliteFile();
  const draft = `${file}.restoring`;
  mayReplace(file, replace);
  remove(draft);
  try {
    await migrateSqlite(draft, migrations);
    const count = await fill(draft, rows);
    mayReplace(file, replace);
    remove(file, ["-wal", "-shm"]);
    renameSync(draft, file);
    bringToDisk(dirname(file));
    return count;
  } finally {
    remove(draft);
  }
}

async function fill(file: string, rows: AsyncIterable<BackupRow>): Promise<number> {
  const database = new Database(file);
  let count = 0;
  try {
    database.pragma("journal_mode = DELETE");
    database.pragma("synchronous = OFF");
    database.pragma("foreign_keys = ON");
    const prepared = new Map<string, Database.Statement>();
    database.exec("BEGIN");
    for await (const { table, values } of rows) {
      let insert = prepared.get(table.name);
      if (!insert) {
        const names = table.columns.map(({ name }) => `"${name}"`);
        insert = database.prepare(
          `INSERT INTO "${table.name}" (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
        );
        prepared.set(table.name, insert);
      }
      insert.run(table.columns.map(({ kind }, index) => fromPlain(values[index] ?? null, kind, "sqlite")));
      if (++count % 1_000 === 0) database.exec("COMMIT; BEGIN");
    }
    database.exec("COMMIT");
  } finally {
    database.close();
  }
  bringToDisk(file);
  return count;
}

/** Throws if the database holds accounts and nobody agreed to replace them, or if a service has it open. */
function mayReplace(file: string, replace: boolean): void {
  const database = new Database(file, { timeout: 0 });
  try {
    database.pragma("locking_mode = EXCLUSIVE");
    database.exec("BEGIN EXCLUSIVE");
    const isMigrated = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'User'").get();
    if (isMigrated && !replace && database.prepare('SELECT 1 FROM "User" LIMIT 1').get()) throw new NotEmpty();
    database.exec("COMMIT");
  } catch (error) {
    if (!(error as { code?: string }).code?.startsWith("SQLITE_BUSY")) throw error;
    throw new Error("The database is in use: stop the service first.");
  } finally {
    database.close();
  }
}

function remove(file: string, suffixes = ["", "-wal", "-shm", "-journal"]): void {
  for (const suffix of suffixes) rmSync(`${file}${suffix}`, { force: true });
}
