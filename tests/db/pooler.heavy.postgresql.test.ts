import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser } from "@/lib/auth/users";
import { migrationNames } from "@/lib/db/migrations";
import type { ScratchServer } from "@/scripts/scratch-server";
import { type Ended, runAdmin, runScript } from "@/tests/support/admin";
import { emptyDatabase } from "@/tests/support/empty-database";
import { startPooler } from "@/tests/support/pooled";
import { newUsername } from "@/tests/support/user";

let pooler: ScratchServer;
beforeAll(async () => {
  pooler = await startPooler(2);
});
afterAll(() => pooler?.stop());

const { PATH, DATA_DIR, AUTH_SECRET, DATABASE_URL } = process.env;

/** The same database through the pooler. */
function pooled(address: string): string {
  const url = new URL(address);
  url.port = new URL(pooler.url).port;
  return url.href;
}

const ask = (sent: string[], more: Record<string, string> = {}) =>
  runScript("tests/support/ask-many.ts", sent, {
    PATH,
    DATA_DIR,
    AUTH_SECRET,
    DATABASE_URL: pooled(String(DATABASE_URL)),
    NODE_ENV: "test",
    ...more,
  });

const counted = ({ stdout, stderr }: Ended) => {
  expect(stderr).toBe("");
  return JSON.parse(stdout);
};

// Each process comes to the same statements in another order, so what one prepared under a name another one would run.
test("several processes that share two connections of a pooler get their own rows, every time", async () => {
  const users = await Promise.all(
    Array.from({ length: 4 }, () => createUser({ username: newUsername(), password: null })),
  );
  const names = users.map(({ username }) => username);
  const answers = await Promise.all(names.map((_, index) => ask([...names.slice(index), ...names.slice(0, index)])));
  for (const answer of answers) expect(counted(answer)).toEqual({ right: 400, wrong: 0, refused: [], named: 0 });
});

test("without a pooler statements are prepared, under one name each in whatever order they come", async () => {
  const { username } = await createUser({ username: newUsername(), password: null });
  const answer = counted(await ask([username], { DATABASE_URL: String(DATABASE_URL) }));
  expect(answer).toMatchObject({ right: 400, wrong: 0, refused: [] });
  expect(answer.named).toBeGreaterThan(2);
});

test.each([
  ["true", 0],
  ["false", 3],
])("what DATABASE_POOLER=%s says needs no finding out", { timeout: 60_000 }, async (DATABASE_POOLER, least) => {
  const { username } = await createUser({ username: newUsername(), password: null });
  const { named } = counted(await ask([username], { DATABASE_URL: String(DATABASE_URL), DATABASE_POOLER }));
  expect(least === 0 ? named === 0 : named >= least).toBe(true);
});

test("starts at once through a pooler of two connections succeed, leave no lock, and one migrates", async () => {
  const environment = { PATH, AUTH_SECRET, NODE_ENV: "test" as const, ...(await emptyDatabase()) };
  const through = { ...environment, DATABASE_URL: pooled(String(environment.DATABASE_URL)) };
  for (const round of [1, 2]) {
    const starts = await Promise.all([1, 2, 3].map(() => runScript("scripts/migrate.ts", [], through)));
    expect(starts.map(({ stderr }) => stderr)).toEqual(["", "", ""]);
    expect(starts.filter(({ stdout }) => stdout.startsWith("Migrated:"))).toHaveLength(round === 1 ? 1 : 0);
  }
  const { Client } = await import("pg");
  const client = new Client(environment.DATABASE_URL);
  await client.connect();
  const locks = await client.query(
    "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database " +
      "WHERE datname = current_database())",
  );
  const { rows } = await client.query(
    'SELECT "migration_name" FROM "_prisma_migrations" WHERE "finished_at" IS NOT NULL ORDER BY 1',
  );
  await client.end();
  expect([locks.rowCount, rows.map((row) => row.migration_name)]).toEqual([0, migrationNames("postgresql")]);
});

test("backups are made and restored through a pooler", async () => {
  const { username, token } = await createUser({ username: newUsername(), password: null });
  const file = `${DATA_DIR}/pooled.backup`;
  const environment = { PATH, DATA_DIR, AUTH_SECRET, NODE_ENV: "test" as const };
  const into = await emptyDatabase();
  const made = await runAdmin(["backup", file], { ...environment, DATABASE_URL: pooled(String(DATABASE_URL)) });
  expect([made.status, made.stderr]).toEqual([0, ""]);
  const restored = await runAdmin(["restore", file], {
    ...environment,
    ...into,
    DATABASE_URL: pooled(String(into.DATABASE_URL)),
  });
  expect([restored.status, restored.stderr]).toEqual([0, ""]);
  const looked = await runAdmin(["user:token", username], { ...environment, ...into });
  expect(JSON.parse(looked.stdout)).toEqual({ username, token });
});

test("migrations go past the pooler where DIRECT_DATABASE_URL says how", async () => {
  const { DATABASE_URL: DIRECT_DATABASE_URL } = await emptyDatabase();
  const through = {
    PATH,
    AUTH_SECRET,
    DATA_DIR,
    NODE_ENV: "test" as const,
    DATABASE_URL: pooled(String(DATABASE_URL)),
    DIRECT_DATABASE_URL,
  };
  // This one has every migration; the empty one gets them.
  expect(await runScript("scripts/migrate.ts", [], through)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^Migrated:/),
    stderr: "",
  });
});
