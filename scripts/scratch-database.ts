import type { EventEmitter } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import Database from "better-sqlite3";
import { Client, Pool } from "pg";
import type { Provider } from "@/lib/platform/db/migrate";
import { migratePostgres, migrateSqlite } from "@/lib/platform/db/migrate";
import { sqlite } from "@/lib/platform/db/sqlite";
import { ensure } from "./install";
import { createDatabase, dropDatabase, startPostgres } from "./postgres";
import { difference } from "./schema-engine";

/** An empty database that has had all migrations. */
export interface ScratchDatabase {
  provider: Provider;
  /** The SQL that leads from here to the models; empty if they match. */
  difference(): Promise<string>;
  rows<T>(query: string): Promise<T[]>;
  run(script: string): Promise<void>;
}

/** Does `work` on such a database, which is removed afterwards. */
export function onScratchDatabase<T>(provider: Provider, work: (database: ScratchDatabase) => Promise<T>): Promise<T> {
  return provider === "sqlite" ? onSqlite(work) : onPostgres(work);
}

async function onSqlite<T>(work: (database: ScratchDatabase) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-migration-"));
  const file = join(folder, "scratch.db");
  // The engine wants the file for itself.
  const opened = <R>(use: (database: Database.Database) => R) => {
    const database = new Database(file);
    try {
      return use(database);
    } finally {
      database.close();
    }
  };
  try {
    await migrateSqlite(file);
    return await work({
      provider: "sqlite",
      difference: () => difference("sqlite", sqlite(file)),
      rows: async <R>(query: string) => opened((database) => database.prepare<[], R>(query).all()),
      run: async (script) => void opened((database) => database.exec(script)),
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function onPostgres<T>(work: (database: ScratchDatabase) => Promise<T>): Promise<T> {
  if (!ensure("PostgreSQL"))
    throw new Error("PostgreSQL is needed here: install it, or name a server in TEST_DATABASE_URL.");
  const existing = process.env.TEST_DATABASE_URL;
  const server = existing ? { url: existing, stop: async () => {} } : await startPostgres();
  const name = `latchkey_migration_${process.pid}`;
  try {
    const url = await createDatabase(server.url, name);
    await migratePostgres({ connectionString: url });
    const client = new Client(url);
    await client.connect();
    try {
      return await work({
        provider: "postgresql",
        difference: () => difference("postgresql", new PrismaPg(describingPool(url), { disposeExternalPool: true })),
        rows: async (query) => (await client.query(query)).rows,
        run: async (script) => void (await client.query(script)),
      });
    } finally {
      await client.end();
    }
  } finally {
    await dropDatabase(server.url, name);
    await server.stop();
  }
}

/**
 * The engine reads catalogue columns of PostgreSQL's type "char", which Prisma's adapter refuses; it accepts them as
 * text.
 */
function describingPool(url: string): Pool {
  const [CHAR, TEXT] = [18, 25];
  const pool = new Pool({ connectionString: url });
  pool.on("connect", (client) => {
    const { connection } = client as unknown as { connection: EventEmitter };
    connection.prependListener("rowDescription", ({ fields }: { fields: { dataTypeID: number }[] }) => {
      for (const field of fields) if (field.dataTypeID === CHAR) field.dataTypeID = TEXT;
    });
  });
  return pool;
}
