import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrationNames } from "@/lib/platform/db/migrate";
import { type ScratchServer, startPgBouncer } from "@/scripts/scratch-server";
import { runScript } from "@/tests/support/admin";
import { emptyDatabase } from "@/tests/support/databases";
import { smallDocument } from "@/tests/support/documents";
import { makeUsers } from "@/tests/support/user";

const { PATH, DATA_DIR, AUTH_SECRET, DATABASE_URL = "" } = process.env;
const environment = { PATH, DATA_DIR, AUTH_SECRET, NODE_ENV: "test" as const };

let pooler: ScratchServer;
beforeAll(async () => {
  pooler = await startPgBouncer(DATABASE_URL, 2);
});
afterAll(() => pooler?.stop());

/** The same database through the pooler. */
function pooled(address = ""): string {
  const url = new URL(address);
  url.port = new URL(pooler.url).port;
  return url.href;
}

async function ask(sent: string[], more: { DATABASE_URL: string; DATABASE_POOLER?: string }) {
  const { stdout, stderr } = await runScript("tests/support/ask-many.ts", sent, { ...environment, ...more });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

// Each process comes to the same statements in another order, so what one prepared under a name another one would run.
test("processes that share two connections of a pooler get their own rows, whatever they send", async () => {
  const names = (await makeUsers(4)).map(({ username }) => username);
  const through = { DATABASE_URL: pooled(DATABASE_URL) };
  const answers = await Promise.all([ask(names, through), ask(names.toReversed(), through)]);
  expect(answers).toEqual(Array(2).fill({ right: 400, wrong: 0, refused: [], named: 0 }));
});

test("without a pooler statements are prepared; DATABASE_POOLER says which, without looking", async () => {
  const names = (await makeUsers(1)).map(({ username }) => username);
  const said = ["true", "false"].map((DATABASE_POOLER) => ask(names, { DATABASE_URL, DATABASE_POOLER }));
  const answers = await Promise.all([ask(names, { DATABASE_URL }), ...said]);
  for (const answer of answers) expect(answer).toMatchObject({ right: 400, wrong: 0, refused: [] });
  expect(answers.map(({ named }) => named > 2)).toEqual([true, false, true]);
  expect(answers[1].named).toBe(0);
});

test("starts at once through a pooler succeed and leave no lock; backups are made and restored", async () => {
  const [from, into] = [await emptyDatabase(), await emptyDatabase()];
  const through = { ...environment, DATABASE_URL: pooled(from.DATABASE_URL) };
  const starts = await Promise.all([1, 2].map(() => runScript("scripts/migrate.ts", [], through)));
  expect(starts.map(({ stderr }) => stderr)).toEqual(["", ""]);
  expect(starts.map(({ stdout }) => stdout.slice(0, 9)).sort()).toEqual(["Migrated:", "The datab"]);
  const client = new Client(from.DATABASE_URL);
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

  const file = `${DATA_DIR}/pooled.backup`;
  const alice = (task: object, variables: NodeJS.ProcessEnv) =>
    runScript("tests/support/account-elsewhere.ts", [JSON.stringify({ username: "alice", ...task })], variables);
  const make = { data: "a secret", document: JSON.stringify(smallDocument("alice")) };
  const made = await alice({ make, backup: file }, through);
  const elsewhere = { ...environment, ...into, DATABASE_URL: pooled(into.DATABASE_URL) };
  const looked = await alice({ commands: [["restore", file]] }, elsewhere);
  expect([made.stderr, looked.stderr]).toEqual(["", ""]);
  expect(looked.stdout.split("\n")[1]).toBe(made.stdout.trim());
});

test("migrations go past the pooler where DIRECT_DATABASE_URL says how", async () => {
  const { DATABASE_URL: DIRECT_DATABASE_URL } = await emptyDatabase();
  // This one has every migration; the empty one gets them.
  const through = { ...environment, DATABASE_URL: pooled(DATABASE_URL), DIRECT_DATABASE_URL };
  const { status, stdout, stderr } = await runScript("scripts/migrate.ts", [], through);
  expect([status, stdout.slice(0, 9), stderr]).toEqual([0, "Migrated:", ""]);
});
