import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import Database from "better-sqlite3";
import { Client } from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { outcomesCountedTo } from "@/lib/link/operator";
import { MAX_DAYS } from "@/lib/operator/statistics";
import { DAY_MS, later, startOfDay } from "@/lib/platform/time";
import { bundled } from "@/scripts/bundled.mjs";
import { askForLinkAt, type MailServer, makeReaders, startMailServer } from "@/tests/mail/mail-server";
import { runScript } from "@/tests/support/admin";
import { ownDatabase, tellPostgres } from "@/tests/support/databases";
import { logFaults } from "@/tests/support/lab";
import { sendTo } from "@/tests/support/request";
import { type RunningService, startService, type Target } from "@/tests/support/service";
import { sized } from "@/tests/support/size";
import { newUsername } from "@/tests/support/user";

const COUNT = 6;
const EVIL = "evil.example";
const TRICKS: Record<string, string>[] = [
  { Host: EVIL },
  { "X-Forwarded-Host": EVIL, "X-Forwarded-Proto": "https" },
  { Host: EVIL, Origin: `http://${EVIL}` },
  { Forwarded: `host=${EVIL}` },
  { "X-Forwarded-Host": `${EVIL}, 127.0.0.1`, Referer: `https://${EVIL}/` },
];

let server: MailServer;
let service: RunningService;
let made: Awaited<ReturnType<typeof makeReaders>>;
beforeAll(async () => {
  server = await startMailServer();
  const variables = { SMTP_URL: server.url.replace("//", "//keys:right%20horse@"), MAIL_FROM: "keys@keys.example" };
  service = await startService({ lane: "direct", database: "postgresql", processes: 2 }, variables);
  made = await makeReaders(service, COUNT + TRICKS.length + 1);
});
afterAll(async () => {
  await service?.stop();
  await server?.stop();
});

/** So many users whom no other test has. */
const take = (count: number) => made.readers.splice(0, count);
const sweep = () => sendTo(service.url, "/api/sweep", { headers: { Authorization: `Bearer ${service.cronSecret}` } });

test("two processes send what half a dozen users asked for once each", async () => {
  const readers = take(COUNT);
  const answers = new Set<string>();
  for (const [index, { username }] of readers.entries()) {
    for (const name of [username, String(made.without[index]), newUsername()])
      answers.add(await askForLinkAt(service.url, name));
    if (index % 3 === 0) await Promise.all([sweep(), sweep(), sweep()]);
  }
  expect([...answers]).toHaveLength(1);
  await expect.poll(() => server.received.length).toBe(COUNT);
  await Promise.all([sweep(), sweep()]);
  expect(server.received.map(({ to }) => to).sort()).toEqual(readers.map(({ address }) => address).sort());
});

test("no header of a request gets into a link", async () => {
  const [last, ...readers] = take(TRICKS.length + 1);
  for (const [index, headers] of TRICKS.entries())
    await askForLinkAt(service.url, String(readers[index]?.username), headers).catch(() => {});
  await askForLinkAt(service.url, String(last?.username));
  await server.mailTo(String(last?.address));
  for (const { raw, link } of server.received) {
    expect(raw).not.toContain(EVIL);
    expect(link.startsWith(`${service.url}/recover/link#`)).toBe(true);
  }
});

test("the log names no address, no link and no password of the mail server", async () => {
  const log = readFileSync(service.logFile, "utf8");
  expect(log).not.toMatch(/people\.example|right%20horse|right horse|#[\w-]{43}/);
  expect(logFaults(log)).toEqual([]);
});

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

/** A process that is ready to sweep. Returns what makes it begin: that says when, and how to wait for its end. */
async function sweeper(env: NodeJS.ProcessEnv) {
  const script = await bundled("tests/support/sweep-when-told.ts");
  const child = spawn(process.execPath, [script], { env, stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await lines.next();
  return async () => {
    child.stdin.end();
    const { value } = await lines.next();
    return { began: Number(value), hasEnded: async () => expect((await lines.next()).value).toBe("ended") };
  };
}

/** Keeps everybody from storing what a sweep counts, until it is released. */
async function keptFromWriting({ DATABASE_URL, DATA_DIR }: NodeJS.ProcessEnv): Promise<() => unknown> {
  if (!DATABASE_URL) {
    const database = new Database(join(String(DATA_DIR), "latchkey.db"));
    database.exec("BEGIN IMMEDIATE");
    return () => database.close();
  }
  const client = new Client(DATABASE_URL);
  await client.connect();
  await client.query('BEGIN; LOCK TABLE "UserSummary", "Measurement" IN EXCLUSIVE MODE');
  return () => client.end();
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
      // Each has begun before one can end.
      const release = await keptFromWriting(environment);
      const sweeps = await Promise.all(sweepers.map((begin) => begin()));
      await release();
      await Promise.all(sweeps.map(({ hasEnded }) => hasEnded()));

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

/** Runs a statement of somebody else on the service's database. */
async function run({ DATABASE_URL, DATA_DIR }: Record<string, string>, statement: string): Promise<void> {
  if (DATABASE_URL) await tellPostgres(DATABASE_URL, statement);
  else {
    const database = new Database(join(String(DATA_DIR), "latchkey.db"), { timeout: 10_000 });
    database.exec(statement);
    database.close();
  }
}

const TARGETS: Target[] = [
  { lane: "direct", database: "sqlite" },
  { lane: "next", database: "postgresql" },
];
test.for(TARGETS)(
  "a process answers 503 once a newer version has changed what is stored ($lane, $database)",
  async (target) => {
    const service = await startService(target);
    onTestFinished(() => service.stop());
    const asked = async (path: string) => {
      const { status, text } = await sendTo(service.url, path, { headers: { Accept: "application/json" } });
      return [status, text] as const;
    };
    const statuses = () =>
      Promise.all(["/keys/check/nobody?key=1", "/me", "/link/code"].map(async (one) => (await asked(one))[0]));
    const before = await statuses();
    expect(before).not.toContain(503);

    await run(service.storage, `UPDATE "Format" SET "number" = "number" + 1`);
    await expect.poll(statuses).toEqual([503, 503, 503]);
    const [status, told] = await asked("/me");
    expect([status, told]).toEqual([503, expect.stringContaining("older than its database")]);
    await expect.poll(async () => (await asked("/ready"))[0]).toBe(503);
    expect((await asked("/health"))[0]).toBe(200);

    await run(service.storage, `UPDATE "Format" SET "number" = "number" - 1`);
    await expect.poll(statuses).toEqual(before);
  },
);
