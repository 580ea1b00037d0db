import { execFile, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "@/package.json";
import { freePort } from "@/scripts/scratch-server";
import { get } from "@/tests/server/service";
import { runAdmin } from "@/tests/support/admin";
import { ownFolder } from "@/tests/support/place";
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

const hasIPv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ family }) => family === "IPv6"),
);

test("without HOST, the service is reached by IPv4 and, where it is, IPv6; ./latchkey health asks it", async () => {
  const PORT = String(await freePort());
  await using service = new Service({ HOST: "", PORT });
  await expect.poll(() => service.output).toContain(`running at http://localhost:${PORT}`);
  for (const host of ["127.0.0.1", ...(hasIPv6 ? ["[::1]"] : [])])
    expect((await fetch(`http://${host}:${PORT}/health`)).status).toBe(200);
  const health = (HOST: string) => runAdmin(["health"], { PATH: process.env.PATH, NODE_ENV: "production", PORT, HOST });
  for (const host of ["", "0.0.0.0", "127.0.0.1", ...(hasIPv6 ? ["::", "::1"] : [])])
    expect(await health(host)).toEqual({ status: 0, stdout: '{"status":"ok"}\n', stderr: "" });
  service.signal("SIGTERM");
  await service.exit();
  const { status, stderr } = await health("");
  expect([status, stderr]).toEqual([1, `http://localhost:${PORT}/health does not respond (ECONNREFUSED).\n`]);
});

const folder = ownFolder("dotenv");

test.each(["NODE_EXTRA_CA_CERTS", "NODE_OPTIONS"])("%s in .env is refused by name: Node.js reads it before", (name) => {
  mkdirSync(join(folder, "scripts"), { recursive: true });
  cpSync("scripts/dotenv.mjs", join(folder, "scripts", "dotenv.mjs"));
  writeFileSync(join(folder, ".env"), `${name}=""\nPORT=3001\n`);
  const run = (more: Record<string, string> = {}) => {
    const program = [join(folder, "scripts", "dotenv.mjs")];
    const env = { ...more, PATH: process.env.PATH, NODE_ENV: "test" as const };
    const { status, stderr } = spawnSync(process.execPath, program, { env, encoding: "utf8" });
    return [status, stderr];
  };
  const sentence = `${name} has no effect in .env, because Node.js reads it before. Set it in the environment of the`;
  expect(run()).toEqual([1, expect.stringContaining(sentence)]);
  // The environment counts more than the file.
  expect(run({ [name]: "" })).toEqual([0, ""]);
});
