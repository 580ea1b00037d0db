import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { migrate } from "@/lib/db/migrate";
import { emptyDatabase } from "@/tests/support/empty-database";

const run = promisify(execFile);

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
