import { execFile } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, onTestFinished, test } from "vitest";
import { db } from "@/lib/db/client";
import { migrate } from "@/lib/db/migrate";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { createDatabase, dropDatabase } from "@/scripts/postgres";

const run = promisify(execFile);

/** Variables that name an empty database of the kind that is being tested. */
async function emptyDatabase(): Promise<Record<string, string>> {
  const database = inject("database");
  if (database.kind === "sqlite") return { DATA_DIR: mkdtempSync(join(env.DATA_DIR, "empty-")) };
  const name = `latchkey_test_${newId().slice(0, 12)}`;
  onTestFinished(() => dropDatabase(database.server, name));
  return { DATABASE_URL: await createDatabase(database.server, name) };
}

test("processes that migrate one empty database at once all succeed, and one of them does the work", async () => {
  const environment = { ...process.env, ...(await emptyDatabase()) };
  const migrating = Array.from({ length: 3 }, () => run(process.execPath, ["node_modules/tsx/dist/cli.mjs", "scripts/migrate.ts"], { env: environment }));
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
