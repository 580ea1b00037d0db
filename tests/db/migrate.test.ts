import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { Client } from "pg";
import { expect, test } from "vitest";
import { db } from "@/lib/platform/db/client";
import {
  configuredProvider,
  type Migrated,
  migrate,
  migratePostgres,
  migrateSqlite,
  migrationNames,
  migrationsFolder,
} from "@/lib/platform/db/migrate";
import manifest from "@/package.json";
import { emptyDatabase } from "@/tests/support/databases";

test("both databases have the same migrations, so that either restores the other's backups", () => {
  expect(migrationNames("sqlite")).toEqual(migrationNames("postgresql"));
});

test("a migrated database is left as it is", async () => {
  const rows = () => db.$queryRaw<{ id: string }[]>`SELECT "id" FROM "_prisma_migrations" ORDER BY "id"`;
  const before = await rows();
  expect(before.length).toBeGreaterThan(0);
  expect(await migrate()).toEqual({ from: manifest.version, applied: [] });
  expect(await rows()).toEqual(before);
});

type Say = (sql: string) => Promise<unknown>;

async function migratingAfter(prepare: (say: Say) => Promise<unknown>): Promise<Migrated> {
  const { DATA_DIR, DATABASE_URL } = await emptyDatabase();
  if (DATABASE_URL) {
    const client = new Client(DATABASE_URL);
    await client.connect();
    await prepare((sql) => client.query(sql)).finally(() => client.end());
    return migratePostgres({ connectionString: DATABASE_URL });
  }
  mkdirSync(DATA_DIR, { recursive: true });
  const file = join(DATA_DIR, "latchkey.db");
  const database = new Database(file);
  await prepare(async (sql) => database.exec(sql)).finally(() => database.close());
  return migrateSqlite(file);
}

const TABLE = `CREATE TABLE "_prisma_migrations" ("id" TEXT, "checksum" TEXT, "finished_at" TIMESTAMP,
  "migration_name" TEXT, "logs" TEXT, "rolled_back_at" TIMESTAMP, "started_at" TIMESTAMP,
  "applied_steps_count" INTEGER)`;
const note = (name: string, { finishedAt = "CURRENT_TIMESTAMP", version = "" } = {}) =>
  `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "finished_at", "logs")
   VALUES ('${name.slice(0, 14)}', '', '${name}', ${finishedAt}, NULLIF('${version}', ''))`;

test("a database with tables of another program is left alone", async () => {
  const work = migratingAfter((say) => say('CREATE TABLE "Theirs" ("id" INTEGER)'));
  await expect(work).rejects.toThrow("another program's");
});

test("a migration that an earlier version began and did not end is named, and nothing is done", async () => {
  const half = migrationNames("sqlite")[0] ?? "";
  const work = migratingAfter((say) => say(TABLE).then(() => say(note(half, { finishedAt: "NULL" }))));
  await expect(work).rejects.toThrow(`The migration ${half} was interrupted`);
});

test("a database that a version before 1.0.0 has migrated is refused with a sentence", async () => {
  const work = migratingAfter((say) => say(TABLE).then(() => say(note("20261127010000_format"))));
  await expect(work).rejects.toThrow(
    "The database was migrated by a version before 1.0.0, which this version cannot upgrade. Start 1.0.0 once, which " +
      "upgrades it, and then this version.",
  );
});

test.each([
  { version: "", sentence: "a newer version of Latchkey (20991231000000_newer)", start: "that version" },
  { version: "9.8.7", sentence: "Latchkey 9.8.7 (20991231000000_newer)", start: "9.8.7" },
])(
  "a database that a newer version ($version) has migrated is refused with a sentence",
  async ({ version, ...says }) => {
    const work = migratingAfter((say) => say(TABLE).then(() => say(note("20991231000000_newer", { version }))));
    await expect(work).rejects.toThrow(
      `The database was migrated by ${says.sentence}, and this is the older ${manifest.version}. Start ${says.start} ` +
        `or a later one, or restore a backup that ${manifest.version} created.`,
    );
  },
);

test("a database that lacks only the newest migration gets it, whatever orphaned rows other tools left", async () => {
  const provider = configuredProvider();
  const names = migrationNames(provider);
  const applied = await migratingAfter(async (say) => {
    await say(TABLE);
    for (const name of names.slice(0, -1)) {
      await say(readFileSync(join(migrationsFolder(provider), name, "migration.sql"), "utf8"));
      await say(note(name));
    }
    if (provider === "sqlite")
      await say(`PRAGMA foreign_keys=OFF; INSERT INTO "Identity" ("provider", "accountId", "userId", "createdAt")
        VALUES ('p', 'a', 'nobody', 0)`);
  });
  expect(applied).toEqual({ from: "a version before 1.0.0", applied: names.slice(-1) });
});
