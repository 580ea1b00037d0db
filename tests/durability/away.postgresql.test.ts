import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createDatabase, type ScratchPostgres, startPostgres } from "@/scripts/postgres";
import { expectError, expectSuccess } from "@/tests/contract/answers";
import { type Operator, startOperator } from "@/tests/soak/operator";
import { runScript } from "@/tests/support/admin";
import { tellPostgres } from "@/tests/support/databases";
import { ask } from "@/tests/support/http";
import { Ledger } from "@/tests/support/ledger";
import type { Answer } from "@/tests/support/request";
import { type RunningService, startService } from "@/tests/support/service";
import { sized } from "@/tests/support/size";
import { type Breakable, breakableWay } from "@/tests/support/sockets";
import { signInByPassword } from "@/tests/support/user";

const target = { lane: "direct", database: "sqlite" } as const;

// One that waits for the disk, as it does everywhere but in tests: what it acknowledged must outlive its crash.
let primary: ScratchPostgres;
let way: Breakable;
let variables: Record<string, string>;
let service: RunningService;
let operator: Operator;
let token: string;
let cookie: string;

const portOf = ({ url }: ScratchPostgres) => Number(new URL(url).port);

beforeAll(async () => {
  primary = await startPostgres();
  way = await breakableWay("127.0.0.1", portOf(primary));
  const address = new URL(await createDatabase(primary.url, "latchkey"));
  const direct = address.href;
  address.host = `127.0.0.1:${way.port}`;
  const NEXTAUTH_URL = origin;
  variables = { DATABASE_URL: address.href, DATABASE_TIMEOUT_SECONDS: "2", NEXTAUTH_URL };
  service = await startService(target, variables);
  operator = await startOperator({ ...service.storage, NEXTAUTH_URL, DATABASE_URL: direct });
  ({ token } = await operator.tell("createUser", "someone", PASSWORD));
  cookie = await signInByPassword(service.url, "someone", PASSWORD);
});
afterAll(async () => {
  operator?.stop();
  await service?.stop();
  await way?.cut();
  await primary?.stop();
});

const call = (path: string, query: Record<string, string> = {}) =>
  ask(path, { query: { ...query, auth: token } }, service.url);
const createKey = (data: string) => call("/keys/create", { data, price: "1" });
const PASSWORD = "correct horse battery";
const origin = "https://keys.example.org";
/** What a person's browser gets that was signed in before. */
const open = (path: string) => ask(path, { headers: { Cookie: cookie, Accept: "text/html" } }, service.url);
const status = (path: string) =>
  call(path)
    .then((answer) => answer.status)
    .catch(() => 0);

/** Every route says that it cannot answer, and when to come back. */
async function expectUnavailable(id: string): Promise<void> {
  const paths = ["/health", "/me", `/keys/get/${id}`, "/keys/mine", `/keys/delete/${id}`, "/read-files", "/link/code"];
  const polling = call("/link/user", { code: "QXQXQX" });
  const answers = await Promise.all([...paths.map((path) => call(path)), createKey("lost")]);
  for (const answer of answers) expectError(answer, 503, "unavailable");
  const poll = await polling;
  expect([poll.status, poll.text]).toEqual([503, '{"linked":false,"token":""}']);
}

test.each([
  ["cut", () => way.cut()],
  ["frozen", async () => way.freeze()],
])(
  "while the way to the database is %s every route says so, and then all is well without a restart",
  async (_, breakWay) => {
    const data = randomBytes(8).toString("hex");
    const id = String(expectSuccess(await createKey(data)).body?.key);
    await breakWay();
    await expectUnavailable(id);
    for (const path of ["/", "/keys", "/account", "/files", "/account/activity"]) {
      const page = await open(path);
      expect([path, page.status, page.headers["retry-after"]]).toEqual([path, 503, "2"]);
      // By this, the page's script says what is wrong (app/error.tsx).
      expect(page.text).toContain("unavailable");
    }
    // Otherwise a copy of the cookie would go on.
    const leaving = { method: "POST", headers: { Cookie: cookie, Origin: origin, "Content-Length": "0" } };
    const left = await ask("/api/auth/signout", leaving, service.url);
    expect([left.status, left.headers["retry-after"], left.headers["set-cookie"]]).toEqual([503, "2", undefined]);
    await way.mend();
    await expect.poll(() => status("/health")).toBe(200);
    for (const path of ["/keys", "/account"]) expect((await open(path)).status).toBe(200);
    const kept = (await call("/keys/mine")).list.map((key) => key.data);
    expect(kept).toContain(data);
    expect(kept).not.toContain("lost");
  },
);

test("while the database is away at the start the service says so, and works as soon as it is there", async () => {
  const id = String(expectSuccess(await createKey("from before")).body?.key);
  await service.kill();
  await way.cut();
  const started = service.restart();
  await expect.poll(() => status("/ready")).toBe(503);
  await expectUnavailable(id);
  const page = await call("/signin");
  const head = { "retry-after": "5", "content-type": "text/html; charset=utf-8" };
  expect(page).toMatchObject({ status: 503, headers: head, text: expect.stringContaining("Back in a moment") });
  const place = `127.0.0.1:${way.port} (DATABASE_URL) does not respond (ECONNREFUSED)`;
  expect(readFileSync(service.logFile, "utf8")).toContain(place);

  await way.mend();
  await started;
  await expect.poll(() => status("/ready")).toBe(200);
  expect(expectSuccess(await call(`/keys/get/${id}`)).body?.data).toBe("from before");
  expect(await status("/signin")).toBe(200);
});

test.each([
  ["user", "the start", "migrate", { username: "nobody-at-all" }, /refuses the user/],
  ["database", "a command", "admin", { pathname: "/no_such_database" }, /has no database of the name in DATABASE_URL/],
])("a wrong %s in DATABASE_URL ends %s with one sentence", async (_, __, script, change, sentence) => {
  const address = Object.assign(new URL(variables.DATABASE_URL ?? ""), change).href;
  const NODE_ENV = "production" as const;
  const environment = { PATH: process.env.PATH, NODE_ENV, ...service.storage, DATABASE_URL: address };
  const { status, stdout, stderr } = await runScript(`scripts/${script}.ts`, ["sweep"], environment);
  expect([status, stdout, stderr.split("\n").length], stderr).toEqual([1, "", 2]);
  expect(stderr).toMatch(sentence);
});

test("PostgreSQL restarts, also after a crash: 503 meanwhile, then all goes on; nothing told is lost", async () => {
  const ledgers = await Promise.all([1, 2, 3, 4].map(() => Ledger.open(service.url, operator)));
  const sum = (what: "acknowledged" | "away") => ledgers.reduce((total, { tally }) => total + tally[what], 0);
  const acknowledges = async (more: number) => {
    const most = sum("acknowledged") + more;
    await expect.poll(() => sum("acknowledged"), { timeout: 60_000 }).toBeGreaterThanOrEqual(most);
  };
  for (let round = 0; round < sized(1, 5); round++)
    for (const mode of ["fast", "immediate"] as const) {
      const away = sum("away");
      const enough = new AbortController();
      const working = Promise.all(ledgers.map((ledger) => ledger.work(enough.signal, false)));
      await acknowledges(20);
      await primary.restart(mode, async () => {
        await expect.poll(() => status("/health")).toBe(503);
        await expect.poll(() => sum("away")).toBeGreaterThan(away);
      });
      await acknowledges(20);
      enough.abort();
      await working;
      for (const ledger of ledgers) await ledger.verify();
    }
});

const tell = ({ url }: ScratchPostgres, ...statements: string[]) => tellPostgres(url, ...statements);

/** Creates keys, one after the other, until told to stop; has what was acknowledged, and every other answer. */
function createOnAndOn() {
  const acknowledged: string[] = [];
  const refused: Answer[] = [];
  let isOver = false;
  const work = (async () => {
    while (!isOver) {
      const data = randomBytes(8).toString("hex");
      const answer = await createKey(data);
      if (answer.status === 200) acknowledged.push(data);
      else refused.push(answer);
      await sleep(5);
    }
  })();
  const stop = async () => {
    isOver = true;
    await work;
  };
  return { acknowledged, refused, stop };
}

// The last: its server does not come back. A managed PostgreSQL does this.
test("when the primary dies, writes are 503 until its standby leads at the same address; nothing is lost", async () => {
  const standby = await startPostgres([], primary.url);
  onTestFinished(() => standby.stop());
  // An acknowledged write is on both.
  await tell(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()");
  const writing = createOnAndOn();
  onTestFinished(writing.stop);
  const acknowledges = async (more: number) => {
    const most = writing.acknowledged.length + more;
    await expect.poll(() => writing.acknowledged.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(most);
  };
  await acknowledges(10);
  way.leadTo(portOf(standby));
  await primary.crash();
  await expect.poll(() => writing.refused.length).toBeGreaterThan(0);
  // The standby answers who reads, and it is not ready.
  await expect.poll(() => status("/keys/mine")).toBe(200);
  expectError(await createKey("lost"), 503, "unavailable");
  expect(await status("/ready")).toBe(503);
  let isSecondReady = false;
  const second = startService(target, { ...variables, AUTH_SECRET: String(service.storage.AUTH_SECRET) });
  second.then(() => (isSecondReady = true)).catch(() => {});
  await sleep(2_000);
  expect(isSecondReady).toBe(false);

  await tell(standby, "SELECT pg_promote()");
  await expect.poll(() => status("/ready")).toBe(200);
  await acknowledges(10);
  await writing.stop();
  for (const answer of writing.refused) expectError(answer, 503, "unavailable");

  const kept = new Set((await call("/keys/mine")).list.map((key) => key.data));
  expect(writing.acknowledged.filter((data) => !kept.has(data))).toEqual([]);
  expect(kept).not.toContain("lost");

  // It started while there was nobody to write to, and waited.
  const other = await second;
  expectSuccess(await ask("/keys/create", { query: { auth: token, data: "on the other", price: "1" } }, other.url));
  await other.stop();
});
