import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, type QueryResultRow } from "pg";
import { inject, onTestFinished } from "vitest";
import { migratePostgres, migrateSqlite } from "@/lib/platform/db/migrate";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { createDatabase, dropDatabase, startPostgres } from "@/scripts/postgres";

interface SharedServer {
  url: Promise<string>;
  users: number;
  stop: () => Promise<void>;
}

/** One server for all projects of a run: each project has its own copy of this module. */
const perProcess = globalThis as typeof globalThis & { latchkeyTestPostgres?: SharedServer };

/** These servers do not test durability, so they need not wait for the disk. */
const FAST = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];

/**
 * The PostgreSQL server of this run: the one at TEST_DATABASE_URL, or else one started here in a temporary folder. It
 * runs until every user has released it. Throws if there is neither.
 */
export async function acquirePostgres(): Promise<{ url: string; release: () => Promise<void> }> {
  perProcess.latchkeyTestPostgres ??= open();
  const server = perProcess.latchkeyTestPostgres;
  server.users++;
  const release = async () => {
    if (--server.users > 0) return;
    delete perProcess.latchkeyTestPostgres;
    await server.stop();
  };
  return { url: await server.url, release };
}

function open(): SharedServer {
  const existing = process.env.TEST_DATABASE_URL;
  if (existing) return { url: Promise.resolve(existing), users: 0, stop: async () => {} };
  const started = startPostgres(FAST);
  return { url: started.then(({ url }) => url), users: 0, stop: async () => (await started).stop() };
}

/** Runs these statements in a connection of their own. Returns the rows of the last. */
export async function tellPostgres<Row extends QueryResultRow = QueryResultRow>(
  url: string | undefined,
  ...statements: string[]
): Promise<Row[]> {
  const client = new Client(url);
  await client.connect();
  try {
    let rows: Row[] = [];
    for (const statement of statements) ({ rows } = await client.query<Row>(statement));
    return rows;
  } finally {
    await client.end();
  }
}

export interface OwnDatabase {
  environment: Record<string, string>;
  release(): Promise<void>;
}

export async function ownDatabase(kind: "sqlite" | "postgresql"): Promise<OwnDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-long-"));
  const common = { AUTH_SECRET: randomBytes(32).toString("base64"), LOG_LEVEL: "error", DATA_DIR: folder };
  const removeFolder = async () => rmSync(folder, { recursive: true });
  if (kind === "sqlite") {
    await migrateSqlite(join(folder, "latchkey.db"));
    return { environment: { ...common, DATABASE_URL: "" }, release: removeFolder };
  }
  const server = await acquirePostgres();
  const url = await createDatabase(server.url, `latchkey_long_${randomBytes(6).toString("hex")}`);
  await migratePostgres({ connectionString: url });
  return {
    environment: { ...common, DATABASE_URL: url },
    release: async () => {
      await server.release();
      await removeFolder();
    },
  };
}

/** Variables for an empty database of the tested kind, and a separate data folder. It is removed when the test ends. */
export async function emptyDatabase(): Promise<{ DATA_DIR: string; DATABASE_URL?: string }> {
  const DATA_DIR = mkdtempSync(join(env.DATA_DIR, "empty-"));
  const database = inject("database");
  if (database.kind === "sqlite") return { DATA_DIR };
  const name = `latchkey_test_${newId().slice(0, 12)}`;
  onTestFinished(() => dropDatabase(database.server, name));
  return { DATA_DIR, DATABASE_URL: await createDatabase(database.server, name) };
}
