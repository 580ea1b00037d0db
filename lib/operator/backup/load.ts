import { renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import type { Client } from "pg";
import { bringToDisk } from "@/lib/platform/data-folder";
import { closeDatabase, sqliteFile } from "@/lib/platform/db/client";
import { migratePostgres, migrateSqlite } from "@/lib/platform/db/migrate";
import { connectDirectly, sessionConfig } from "@/lib/platform/db/postgres-session";
import { NotEmpty } from "./format";
import type { BackupRow } from "./read";
import { fromPlain, type Table, tableNames } from "./tables";

/** Rows, and characters of a backup's lines, per statement. */
const ROWS_AT_ONCE = 200;
const LENGTH_AT_ONCE = 2_000_000;

/** Recreates the tables and fills them in one transaction: a failed restore leaves a database without accounts. */
export async function restoreIntoPostgres(
  rows: AsyncIterable<BackupRow>,
  migrations: string[],
  replace: boolean,
): Promise<number> {
  await closeDatabase();
  const { client } = await connectDirectly(sessionConfig());
  try {
    await empty(client, replace);
    await migratePostgres(sessionConfig(), migrations);
    await client.query("BEGIN");
    const count = await fillPostgres(client, rows);
    await client.query("COMMIT");
    return count;
  } finally {
    await client.end();
  }
}

async function empty(client: Client, replace: boolean): Promise<void> {
  const { rows } = await client.query<{ table_name: string }>(
    "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() AND " +
      "table_type = 'BASE TABLE'",
  );
  const there = rows.map((row) => row.table_name);
  if (there.includes("User") && !replace && (await client.query('SELECT 1 FROM "User" LIMIT 1')).rows.length > 0)
    throw new NotEmpty();
  const ours = [...tableNames, "_prisma_migrations"].filter((name) => there.includes(name));
  if (ours.length > 0) await client.query(`DROP TABLE ${ours.map((name) => `"${name}"`).join(", ")} CASCADE`);
}

async function fillPostgres(client: Client, rows: AsyncIterable<BackupRow>): Promise<number> {
  const filled = new Map<string, Table>();
  let count = 0;
  let waiting: BackupRow[] = [];
  let length = 0;
  const store = async () => {
    const [first] = waiting;
    if (!first) return;
    const { name, columns } = first.table;
    const values = waiting.flatMap((row) =>
      columns.map(({ kind }, index) => fromPlain(row.values[index] ?? null, kind, "postgresql")),
    );
    const tuples = waiting.map(
      (_, row) => `(${columns.map((_, column) => `$${row * columns.length + column + 1}`).join(", ")})`,
    );
    await client.query(
      `INSERT INTO "${name}" (${columns.map((column) => `"${column.name}"`).join(", ")}) VALUES ${tuples.join(", ")}`,
      values,
    );
    count += waiting.length;
    waiting = [];
    length = 0;
  };
  for await (const row of rows) {
    if (row.table.name !== waiting[0]?.table.name || waiting.length === ROWS_AT_ONCE || length > LENGTH_AT_ONCE)
      await store();
    filled.set(row.table.name, row.table);
    waiting.push(row);
    for (const value of row.values) length += typeof value === "string" ? value.length : 8;
  }
  await store();
  for (const table of filled.values()) await countOn(client, table);
  return count;
}

/** Sets autoincremented columns to continue after the highest number. */
async function countOn(client: Client, { name, columns }: Table): Promise<void> {
  for (const column of columns.filter(({ isCounted }) => isCounted))
    await client.query(
      `SELECT setval(pg_get_serial_sequence('"${name}"', '${column.name}'), (SELECT MAX("${column.name}") ` +
        `FROM "${name}"))`,
    );
}

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
    const count = await fillSqlite(draft, rows);
    mayReplace(file, replace);
    remove(file, ["-wal", "-shm"]);
    renameSync(draft, file);
    bringToDisk(dirname(file));
    return count;
  } finally {
    remove(draft);
  }
}

async function fillSqlite(file: string, rows: AsyncIterable<BackupRow>): Promise<number> {
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
