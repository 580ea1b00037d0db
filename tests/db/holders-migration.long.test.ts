import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import Database from "better-sqlite3";
import { Client } from "pg";
import { expect, test } from "vitest";
import { migratePostgres, migrateSqlite } from "@/lib/db/migrate";
import { migrationNames } from "@/lib/db/migrations";
import { createDatabase, dropDatabase } from "@/scripts/postgres";
import { acquirePostgres } from "@/tests/support/postgres";

/** 1,000 users who each hold the same 1,000 keys. */
const SIDE = 1_000;
/** The longest that a reader of a former version may wait meanwhile. */
const LONGEST_WAIT_MS = 2_000;

/** What a service of the former version reads, again and again: `/keys/check`. */
const CHECK = `SELECT h."keyId" FROM "User" u JOIN "Holder" h ON h."userId" = u."id" AND h."keyId" = 'k7'
  WHERE u."usernameKey" = 'u7'`;

const before = (provider: "sqlite" | "postgresql") =>
  migrationNames(provider).filter(
    (name) => name < (migrationNames(provider).find((one) => one.endsWith("_claim_links")) ?? ""),
  );

/** The rows, as both databases generate them from `n`. */
function rows(numbers: string, now: string): string[] {
  return [
    `INSERT INTO "User" ("id", "username", "usernameKey", "role", "tokenHash", "tokenSealed", "tokenAt", "createdAt")
     SELECT 'u' || n, 'u' || n, 'u' || n, 'user', 'h' || n, 's', ${now}, ${now} FROM ${numbers}`,
    `INSERT INTO "Key" ("id", "creatorId", "name", "data", "dataBytes", "price", "createdAt", "updatedAt")
     SELECT 'k' || n, 'u0', '', 'd', 1, '1', ${now}, ${now} FROM ${numbers}`,
    `INSERT INTO "Holder" ("keyId", "userId", "since", "keyCreatedAt")
     SELECT 'k' || a.n, 'u' || b.n, ${now}, ${now} FROM ${numbers} a CROSS JOIN ${numbers} b`,
  ];
}

test("a SQLite file with 10^6 holders is migrated while others read it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-holders-"));
  const file = join(folder, "data.db");
  await migrateSqlite(file, before("sqlite"));
  const database = new Database(file);
  database.exec(`CREATE TEMP TABLE numbers AS WITH RECURSIVE c(n) AS
    (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < ${SIDE - 1}) SELECT n FROM c`);
  database.transaction(() => {
    for (const text of rows("numbers", "1700000000000")) database.exec(text);
  })();
  database.close();
  const reader = new Worker(
    `const { workerData, parentPort } = require("node:worker_threads");
     const Database = require("better-sqlite3");
     const database = new Database(workerData.file, { readonly: true });
     let stop = false, reads = 0, longest = 0, wrong = 0;
     parentPort.on("message", () => { stop = true; });
     (async () => {
       while (!stop) {
         const start = performance.now();
         if (database.prepare(workerData.check).all().length !== 1) wrong++;
         longest = Math.max(longest, performance.now() - start);
         reads++;
         await new Promise((resolve) => setTimeout(resolve, 2));
       }
       database.close();
       parentPort.postMessage({ reads, longest, wrong });
     })();`,
    { eval: true, workerData: { file, check: CHECK } },
  );
  const read = new Promise<{ reads: number; longest: number; wrong: number }>((resolve) =>
    reader.on("message", resolve),
  );
  await new Promise((resolve) => setTimeout(resolve, 500));
  const start = performance.now();
  await migrateSqlite(file);
  const took = performance.now() - start;
  reader.postMessage("stop");
  const { reads, longest, wrong } = await read;
  await reader.terminate();
  const after = new Database(file, { readonly: true });
  expect(after.prepare('SELECT count(*) AS n FROM "Holder" WHERE "until" IS NULL').get()).toEqual({ n: SIDE * SIDE });
  after.close();
  rmSync(folder, { recursive: true });
  process.stdout.write(`SQLite: ${Math.round(took)} ms, ${reads} reads, the longest ${Math.round(longest)} ms\n`);
  expect(wrong).toBe(0);
  expect(reads).toBeGreaterThan(10);
  expect(longest).toBeLessThan(LONGEST_WAIT_MS);
});

test("a PostgreSQL database with 10^6 holders is migrated while others read it", async () => {
  const server = await acquirePostgres();
  const name = `latchkey_holders_${process.pid}`;
  const connectionString = await createDatabase(server.url, name);
  await migratePostgres({ connectionString }, before("postgresql"));
  const client = new Client({ connectionString });
  await client.connect();
  for (const text of rows(`generate_series(0, ${SIDE - 1}) AS `, "now()").map(withAlias)) await client.query(text);
  let isDone = false;
  let longest = 0;
  let reads = 0;
  const reading = (async () => {
    while (!isDone) {
      const start = performance.now();
      expect((await client.query(CHECK)).rows).toHaveLength(1);
      longest = Math.max(longest, performance.now() - start);
      reads++;
    }
  })();
  const start = performance.now();
  await migratePostgres({ connectionString });
  const took = performance.now() - start;
  isDone = true;
  await reading;
  const counted = await client.query('SELECT count(*)::int AS n FROM "Holder" WHERE "until" IS NULL');
  await client.end();
  await dropDatabase(server.url, name);
  await server.release();
  process.stdout.write(`PostgreSQL: ${Math.round(took)} ms, ${reads} reads, the longest ${Math.round(longest)} ms\n`);
  expect(counted.rows).toEqual([{ n: SIDE * SIDE }]);
  expect(longest).toBeLessThan(LONGEST_WAIT_MS);
});

/** `generate_series` names its column only with an alias. */
function withAlias(text: string): string {
  const series = `generate_series(0, ${SIDE - 1}) AS `;
  return text
    .replaceAll(`${series} a`, `${series} a(n)`)
    .replaceAll(`${series} b`, `${series} b(n)`)
    .replace(/AS $/, "AS s(n)");
}
