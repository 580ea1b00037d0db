import Database from "better-sqlite3";
import { sqliteFile } from "@/lib/db/client";
import { connectDirectly, sessionConfig } from "@/lib/db/postgres-session";
import { env } from "@/lib/env";
import type { Table } from "./tables";

/** Rows per result, and fewer for a table with bytes: those have 256 KB each. */
const ROWS_AT_ONCE = 500;
const LARGE_ROWS_AT_ONCE = 8;

/** The whole database at one moment, regardless of concurrent writes. */
export interface Snapshot {
  /** The rows of a table, each with its values in the order of the columns. */
  rows(table: Table): AsyncIterable<unknown[]>;
  /** The number of rows in all of these tables. */
  count(tables: Table[]): Promise<number>;
  /** The names of the migrations that were applied. */
  migrations(): Promise<string[]>;
  close(): Promise<void>;
}

const MIGRATIONS =
  `SELECT "migration_name" AS "name" FROM "_prisma_migrations" WHERE "finished_at" IS NOT NULL AND ` +
  `"rolled_back_at" IS NULL ORDER BY 1`;

const select = ({ name, columns }: Table) =>
  `SELECT ${columns.map((column) => `"${column.name}"`).join(", ")} FROM "${name}"`;

const countAll = (tables: Table[]) =>
  `SELECT ${tables.map(({ name }) => `(SELECT count(*) FROM "${name}")`).join(" + ")} AS "count"`;

/** Opens a snapshot on its own connection. It must be closed. */
export function openSnapshot(): Promise<Snapshot> {
  return env.DATABASE_URL ? postgresSnapshot() : sqliteSnapshot();
}

/** A read transaction in WAL mode neither waits for writers nor sees them. */
async function sqliteSnapshot(): Promise<Snapshot> {
  const database = new Database(sqliteFile(), { readonly: true, timeout: 5_000 });
  database.exec("BEGIN");
  return {
    async *rows(table) {
      // The iterator holds one row at a time; numbers of 64 bits must stay exact.
      yield* database.prepare<[], unknown[]>(select(table)).safeIntegers().raw().iterate();
    },
    count: async (tables) => database.prepare<[], { count: number }>(countAll(tables)).get()?.count ?? 0,
    migrations: async () =>
      database
        .prepare<[], { name: string }>(MIGRATIONS)
        .all()
        .map(({ name }) => name),
    close: async () => void database.close(),
  };
}

async function postgresSnapshot(): Promise<Snapshot> {
  const { client } = await connectDirectly(sessionConfig());
  // Times are stored without a zone, in UTC, and are read as such.
  await client.query("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL TimeZone = 'UTC'");
  return {
    async *rows(table) {
      const columns = table.columns.map(({ name, kind }) =>
        kind === "DateTime" ? `(EXTRACT(EPOCH FROM "${name}") * 1000)::bigint` : `"${name}"`,
      );
      await client.query(`DECLARE backup NO SCROLL CURSOR FOR SELECT ${columns.join(", ")} FROM "${table.name}"`);
      const count = table.columns.some(({ kind }) => kind === "Bytes") ? LARGE_ROWS_AT_ONCE : ROWS_AT_ONCE;
      for (;;) {
        const { rows } = await client.query<unknown[]>({ text: `FETCH ${count} FROM backup`, rowMode: "array" });
        if (rows.length === 0) break;
        yield* rows;
      }
      await client.query("CLOSE backup");
    },
    count: async (tables) => Number((await client.query<{ count: string }>(countAll(tables))).rows[0]?.count),
    migrations: async () => (await client.query<{ name: string }>(MIGRATIONS)).rows.map(({ name }) => name),
    close: () => client.end(),
  };
}
