import type { Client } from "pg";
import { closeDatabase } from "@/lib/db/client";
import { migratePostgres } from "@/lib/db/migrate";
import { connectDirectly, sessionConfig } from "@/lib/db/postgres-session";
import { NotEmpty } from "./errors";
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
    const count = await fill(client, rows);
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

async function fill(client: Client, rows: AsyncIterable<BackupRow>): Promise<number> {
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
    const places = waiting.map(
      (_, row) => `(${columns.map((_, column) => `$${row * columns.length + column + 1}`).join(", ")})`,
    );
    await client.query(
      `INSERT INTO "${name}" (${columns.map((column) => `"${column.name}"`).join(", ")}) VALUES ${places.join(", ")}`,
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
