import { execFile } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import Database from "better-sqlite3";
import { Client } from "pg";
import { expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { migrate, migratePostgres, migrateSqlite } from "@/lib/db/migrate";
import { configuredProvider, migrationNames, migrationsFolder } from "@/lib/db/migrations";
import { emptyDatabase } from "@/tests/support/empty-database";

const run = promisify(execFile);

test("processes that migrate one empty database at once all succeed, and one of them does the work", async () => {
  const environment = { ...process.env, ...(await emptyDatabase()) };
  const migrating = Array.from({ length: 3 }, () =>
    run(process.execPath, ["node_modules/tsx/dist/cli.mjs", "scripts/migrate.ts"], { env: environment }),
  );
  const printed = (await Promise.all(migrating)).map(({ stdout }) => stdout);
  expect(printed.filter((line) => line.startsWith("Migrated:"))).toHaveLength(1);
  expect(printed.filter((line) => line === "The database is up to date.\n")).toHaveLength(2);
});

test("a migrated database is left as it is", async () => {
  const rows = () => db.$queryRaw<{ id: string }[]>`SELECT "id" FROM "_prisma_migrations" ORDER BY "id"`;
  const before = await rows();
  expect(before.length).toBeGreaterThan(0);
  expect(await migrate()).toEqual([]);
  expect(await rows()).toEqual(before);
});

/** Statements in an empty database, and what migrating it comes to then. */
async function migratingAfter(prepare: (say: (sql: string) => Promise<unknown>) => Promise<void>): Promise<string[]> {
  const { DATA_DIR, DATABASE_URL } = await emptyDatabase();
  if (DATABASE_URL) {
    const client = new Client(DATABASE_URL);
    await client.connect();
    await prepare((sql) => client.query(sql));
    await client.end();
    return migratePostgres({ connectionString: DATABASE_URL });
  }
  mkdirSync(String(DATA_DIR), { recursive: true });
  const file = join(String(DATA_DIR), "latchkey.db");
  const database = new Database(file);
  await prepare(async (sql) => database.exec(sql));
  database.close();
  return migrateSqlite(file);
}

test("a database with tables of another program is left alone", async () => {
  const work = migratingAfter(async (say) => void (await say('CREATE TABLE "Theirs" ("id" INTEGER)')));
  await expect(work).rejects.toThrow("another program's");
});

test("a migration that an earlier version began and did not end is named, and nothing is done", async () => {
  const work = migratingAfter(async (say) => {
    await say(
      `CREATE TABLE "_prisma_migrations" ("id" TEXT, "checksum" TEXT, "finished_at" TIMESTAMP, "migration_name" TEXT,
       "logs" TEXT, "rolled_back_at" TIMESTAMP, "started_at" TIMESTAMP, "applied_steps_count" INTEGER)`,
    );
    await say(
      `INSERT INTO "_prisma_migrations" ("id", "migration_name") VALUES ('a', '${migrationNames("sqlite")[0]}')`,
    );
  });
  await expect(work).rejects.toThrow("was interrupted");
});

test("a database that lacks only the newest migration gets it, whatever orphaned rows other tools left", async () => {
  const [newest] = migrationNames(configuredProvider()).slice(-1);
  const applied = await migratingAfter(async (say) => {
    await say(
      `CREATE TABLE "_prisma_migrations" ("id" TEXT, "checksum" TEXT, "finished_at" TIMESTAMP, "migration_name" TEXT,
       "logs" TEXT, "rolled_back_at" TIMESTAMP, "started_at" TIMESTAMP, "applied_steps_count" INTEGER)`,
    );
    const before = migrationNames(configuredProvider()).slice(0, -1);
    for (const name of before) {
      await say(readFileSync(join(migrationsFolder(configuredProvider()), name, "migration.sql"), "utf8"));
      await say(
        `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "finished_at")
         VALUES ('${name.slice(0, 14)}', '', '${name}', CURRENT_TIMESTAMP)`,
      );
    }
    if (configuredProvider() === "sqlite")
      await say(`PRAGMA foreign_keys=OFF; INSERT INTO "Identity" ("provider", "accountId", "userId", "createdAt")
        VALUES ('p', 'a', 'nobody', 0)`);
  });
  expect(applied).toEqual([newest]);
});
