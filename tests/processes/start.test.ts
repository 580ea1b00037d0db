import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "@/package.json";
import { get } from "@/tests/server/service";
import { Service } from "./npm-start";

/** The highest that browsers refuse: no other test takes it. */
const BLOCKED = 10_080;

describe("running", () => {
  let service: Service;
  let port: number;
  beforeAll(async () => {
    service = new Service({ REDIS_URL: "redis://127.0.0.1" });
    port = await service.port();
  });
  afterAll(() => service?.[Symbol.asyncDispose]());

  test("says which version it is, where it is, and that the console needs an administrator", async () => {
    const at = `http://127\\.0\\.0\\.1:${port}`;
    for (const line of [
      `Latchkey ${manifest.version} is running at ${at}`,
      `Sign up: +${at}/signup`,
      `Link a program: +${at}/link`,
      " {2}The console needs an administrator: ./latchkey user:role <name> admin",
    ])
      await expect.poll(() => service.output).toMatch(new RegExp(`${line}$`, "m"));
  });

  test("does without a variable of an earlier version, and says so once", async () => {
    const said = () => service.output.match(/^\{"level":40,.*REDIS_URL is no longer read\. Remove it: .*$/gm);
    await expect.poll(said).toHaveLength(1);
  });

  test("sends pages with a request id, and malformed addresses of pages are no faults", async () => {
    const page = await get(port, "/signup", ["Host: keys.localhost", "X-Request-Id: mine"]);
    expect([page.status, page.headers["x-request-id"]]).toEqual([200, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect([(await get(port, "/nothing-here")).status, (await get(port, "/%zz")).status]).toEqual([404, 400]);
  });

  test("keeps its port: a second one ends with one sentence", async () => {
    await using second = new Service({ PORT: String(port) });
    const sentence = new RegExp(`^Port ${port} is in use [^\n]+\\.\n$`, "m");
    expect([await second.exit(), second.output]).toEqual([1, expect.stringMatching(sentence)]);
    expect((await get(port, "/health")).status).toBe(200);
  });
});

const DATABASE_URL = "postgresql://nowhere.invalid/a";
test.each<[Record<string, string>, RegExp]>([
  [{ PORT: "http" }, /^The environment variable PORT is not valid: [^\n]+\.\n$/],
  [{ DATABASE_URL }, /^AUTH_SECRET must be set when DATABASE_URL is, [^\n]+ Create one with: [^\n]+\n$/],
  [{ DATABASE_URL, AUTH_SECRET: "x".repeat(32) }, /^NEXTAUTH_URL must be set when DATABASE_URL is: [^\n]+\.\n$/],
])("a configuration that would not be safe ends it with one sentence: %o", async (environment, sentence) => {
  await using service = new Service(environment);
  expect([await service.exit(), service.output]).toEqual([1, expect.stringMatching(sentence)]);
});

test("a port that browsers refuse is named, and the service runs for those that can open it", async () => {
  await using service = new Service({ PORT: String(BLOCKED) });
  await expect.poll(() => service.output).toMatch(new RegExp(`^ {2}Browsers refuse to open port ${BLOCKED}: `, "m"));
  expect((await get(BLOCKED, "/health")).status).toBe(200);
});

/** As pm2 starts it. */
const AS_WORKER = `
import cluster from "node:cluster";
cluster.setupPrimary({ exec: "server.ts", args: [], execArgv: ["--import", "tsx"] });
cluster.fork().on("exit", (code) => process.exit(code ?? 9));
`;

test("a worker of another program's cluster says what to do instead, and ends", async () => {
  const env = { PATH: process.env.PATH, NODE_ENV: "test" as const };
  const started = promisify(execFile)(process.execPath, ["--input-type=module", "--eval", AS_WORKER], { env });
  const stderr = expect.stringMatching(/^Another program, like pm2 [^\n]+ WEB_CONCURRENCY [^\n]+\.\n$/);
  await expect(started).rejects.toMatchObject({ code: 1, stderr });
});
