import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, dropDatabase } from "@/scripts/postgres";
import { expectError, expectSuccess } from "@/tests/contract/answers";
import { runScript } from "@/tests/support/admin";
import { type Breakable, breakableWay } from "@/tests/support/breakable";
import { ask } from "@/tests/support/http";
import { newUserOf } from "@/tests/support/operator";
import { acquirePostgres } from "@/tests/support/postgres";
import { type RunningService, startService } from "@/tests/support/service";

const name = `latchkey_test_${randomBytes(6).toString("hex")}`;

let server: Awaited<ReturnType<typeof acquirePostgres>>;
let way: Breakable;
let service: RunningService;
let token: string;
beforeAll(async () => {
  server = await acquirePostgres();
  const address = new URL(await createDatabase(server.url, name));
  way = await breakableWay(address.hostname, Number(address.port || 5432));
  address.host = `127.0.0.1:${way.port}`;
  const variables = { DATABASE_URL: address.href, NEXTAUTH_URL: "https://keys.example.org" };
  service = await startService({ lane: "direct", database: "sqlite" }, variables);
  token = await newUserOf({ ...service, storage: { ...service.storage, ...variables } }, "someone");
});
afterAll(async () => {
  await service?.stop();
  await way?.cut();
  await dropDatabase(server.url, name);
  await server.release();
});

const call = (path: string, query: Record<string, string> = {}) =>
  ask(path, { query: { ...query, auth: token } }, service.url);
const createKey = (data: string) => call("/keys/create", { data, price: "1" });

/** Every route says that it cannot answer, and when to come back. */
async function expectUnavailable(id: string): Promise<void> {
  const paths = ["/health", "/me", `/keys/get/${id}`, "/keys/mine", `/keys/delete/${id}`, "/read-files", "/link/code"];
  const answers = await Promise.all(paths.map((path) => call(path)));
  for (const answer of [...answers, await createKey("lost")]) expectError(answer, 503, "unavailable");
  const poll = await call("/link/user", { code: "QXQXQX" });
  expect([poll.status, poll.text]).toEqual([503, '{"linked":false,"token":""}']);
}

test.each([
  ["cut", () => way.cut()],
  ["frozen", async () => way.freeze()],
])(
  "while the way to the database is %s every route says so, and then all is well without a restart",
  { timeout: 120_000 },
  async (_, breakWay) => {
    const data = randomBytes(8).toString("hex");
    const id = String(expectSuccess(await createKey(data)).body?.key);
    await breakWay();
    await expectUnavailable(id);
    await way.mend();
    await expect.poll(async () => (await call("/health")).status).toBe(200);
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
  const status = (path: string) =>
    call(path).then(
      (answer) => answer.status,
      () => 0,
    );
  await expect.poll(() => status("/ready")).toBe(503);
  await expectUnavailable(id);
  const page = await call("/signin");
  expect([page.status, page.headers["retry-after"], page.headers["content-type"]]).toEqual([
    503,
    "5",
    "text/html; charset=utf-8",
  ]);
  expect(page.text).toContain("Back in a moment");
  const place = `127.0.0.1:${way.port} (DATABASE_URL) does not respond (ECONNREFUSED)`;
  expect(readFileSync(service.logFile, "utf8")).toContain(place);

  await way.mend();
  await started;
  await expect.poll(() => status("/ready")).toBe(200);
  expect(expectSuccess(await call(`/keys/get/${id}`)).body?.data).toBe("from before");
  expect((await call("/signin")).status).toBe(200);
});

test.each([
  ["user", (address: URL) => (address.username = "nobody-at-all"), /refuses the user/],
  [
    "database",
    (address: URL) => (address.pathname = "/no_such_database"),
    /has no database of the name in DATABASE_URL/,
  ],
])(
  "a wrong %s in DATABASE_URL ends the start, and the admin command, with one sentence",
  { timeout: 60_000 },
  async (_, change, sentence) => {
    const address = new URL(server.url);
    address.pathname = `/${name}`;
    change(address);
    const environment = {
      PATH: process.env.PATH,
      NODE_ENV: "production" as const,
      ...service.storage,
      DATABASE_URL: address.href,
    };
    for (const script of ["scripts/migrate.ts", "scripts/admin.ts"]) {
      const { status, stdout, stderr } = await runScript(script, ["sweep"], environment);
      expect([status, stdout, stderr.split("\n").length], stderr).toEqual([1, "", 2]);
      expect(stderr).toMatch(sentence);
    }
  },
);
