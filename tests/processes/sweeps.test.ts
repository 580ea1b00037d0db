import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import Database from "better-sqlite3";
import { Client } from "pg";
import { expect, test } from "vitest";
import { outcomesCountedTo } from "@/lib/link/operator";
import { MAX_DAYS } from "@/lib/operator/statistics/count";
import { DAY_MS, later, startOfDay } from "@/lib/platform/time";
import { bundled } from "@/scripts/bundled.mjs";
import { runScript } from "@/tests/support/admin";
import { ownDatabase } from "@/tests/support/databases";
import { sized } from "@/tests/support/size";

const PROCESSES = sized(2, 3);
const SIZE = { users: 200, keys: 500, events: sized(4_000, 120_000) };

/** What the statistics and the users' table came to, beside the events that there are from one time to another. */
const counted = (from: string, to: string) => `
  SELECT (SELECT sum("value") FROM "Measurement" WHERE "name" = 'signIns') AS "signIns",
    (SELECT count(*) FROM "AuditEvent" WHERE "action" = 'user.signin' AND "at" >= ${from} AND "at" < ${to}) AS "events",
    count(*) AS "users", sum("keys") AS "keys", sum("keyBytes") AS "keyBytes" FROM "UserSummary"`;

async function readRow({ DATABASE_URL, DATA_DIR }: NodeJS.ProcessEnv, statement: string) {
  const client = DATABASE_URL ? new Client(DATABASE_URL) : new Database(join(String(DATA_DIR), "latchkey.db"));
  const row = async () => {
    if (!(client instanceof Client)) return client.prepare(statement).get();
    await client.connect();
    return (await client.query(statement)).rows[0];
  };
  const numbers = Object.entries((await row()) as object).map(([name, value]) => [name, Number(value)]);
  await (client instanceof Client ? client.end() : client.close());
  return Object.fromEntries(numbers);
}

/** A process that is ready to sweep. Returns what tells it to, and answers what it came to. */
async function sweeper(env: NodeJS.ProcessEnv) {
  const script = await bundled("tests/support/sweep-when-told.ts");
  const child = spawn(process.execPath, [script], { env, stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await lines.next();
  return async (): Promise<{ began: number; ended: number; counted: number }> => {
    child.stdin.end();
    return JSON.parse((await lines.next()).value);
  };
}

test.each(["sqlite", "postgresql"] as const)(
  "several processes that sweep at once, on %s, count each event, user and key once",
  async (kind) => {
    const database = await ownDatabase(kind);
    try {
      const env = { PATH: process.env.PATH, NODE_ENV: "production" as const, NEXTAUTH_URL: "https://keys.example.org" };
      // However busy this machine is: what is tested is what is counted.
      const environment = { ...env, ...database.environment, DATABASE_TIMEOUT_SECONDS: "60" };
      const seed = [SIZE.users, SIZE.keys, SIZE.events].map(String);
      expect(await runScript("tests/support/seed/process.ts", seed, environment)).toMatchObject({ status: 0 });

      const sweepers = await Promise.all(Array.from({ length: PROCESSES }, () => sweeper(environment)));
      const sweeps = await Promise.all(sweepers.map((sweep) => sweep()));
      expect(Math.max(...sweeps.map(({ began }) => began))).toBeLessThan(Math.min(...sweeps.map(({ ended }) => ended)));

      const now = new Date(Math.max(...sweeps.map(({ began }) => began)));
      const written = (at: Date) => (kind === "sqlite" ? String(at.getTime()) : `'${at.toISOString().slice(0, -1)}'`);
      const [from, to] = [later(startOfDay(now), (1 - MAX_DAYS) * DAY_MS), outcomesCountedTo(now)].map(written);
      const { signIns, events, ...others } = await readRow(environment, counted(String(from), String(to)));
      expect(signIns).toBe(events);
      expect(signIns).toBeGreaterThan(SIZE.events / 200);
      expect(others).toEqual({ users: SIZE.users, keys: SIZE.keys, keyBytes: SIZE.keys * 13 });
    } finally {
      await database.release();
    }
  },
);
