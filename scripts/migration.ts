// npm run db:migration <name>: writes the migrations of both databases that lead to prisma/schema.prisma
// npm run db:check: fails if the migrations of either database do not lead to it

import type { EventEmitter } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import { Pool } from "pg";
import { migratePostgres, migrateSqlite } from "@/lib/db/migrate";
import { migrationsFolder, type Provider } from "@/lib/db/migrations";
import { sqlite } from "@/lib/db/sqlite";
import { ensurePostgres } from "./install";
import { createDatabase, dropDatabase, startPostgres } from "./postgres";
import { difference } from "./schema-engine";

const NOTHING =
  "-- Nothing to do here. A backup names its migrations, and is restored into either database, so both " +
  "have the same ones.";

/** The SQL missing from the migrations to reach the models, determined on an empty scratch database. */
async function missing(provider: Provider): Promise<string> {
  if (provider === "sqlite") {
    const folder = mkdtempSync(join(tmpdir(), "latchkey-migration-"));
    try {
      const file = join(folder, "scratch.db");
      await migrateSqlite(file);
      return await difference(provider, sqlite(file));
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  if (!ensurePostgres())
    throw new Error("PostgreSQL is needed here: install it, or name a server in TEST_DATABASE_URL.");
  const existing = process.env.TEST_DATABASE_URL;
  const server = existing ? { url: existing, stop: async () => {} } : await startPostgres();
  const name = `latchkey_migration_${process.pid}`;
  try {
    const url = await createDatabase(server.url, name);
    await migratePostgres({ connectionString: url });
    return await difference(provider, new PrismaPg(describingPool(url), { disposeExternalPool: true }));
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

const [command, name] = process.argv.slice(2);
if (command !== "check" && !(command === "create" && /^[a-z0-9_]+$/.test(name ?? ""))) {
  console.error("Usage: npm run db:migration <name in lower_case> | npm run db:check");
  process.exit(2);
}

const lacking = new Map<Provider, string>();
for (const provider of ["sqlite", "postgresql"] as const) lacking.set(provider, await missing(provider));
const isComplete = [...lacking.values()].every((sql) => !sql);

const stamp = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
for (const [provider, sql] of lacking) {
  if (isComplete || (command === "check" && !sql)) {
    console.log(`${provider}: the migrations match the models.`);
  } else if (command === "check") {
    console.error(`${provider}: the migrations lack this; create it with npm run db:migration <name>:\n${sql}`);
    process.exitCode = 1;
  } else {
    const folder = join(migrationsFolder(provider), `${stamp}_${name}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "migration.sql"), `${sql || NOTHING}\n`);
    console.log(`${provider}: wrote ${folder}`);
  }
}
