import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import manifest from "@/package.json";
import { freePort } from "@/scripts/scratch-server";
import { get } from "@/tests/server/service";
import { runAdmin } from "@/tests/support/admin";
import { sendTo } from "@/tests/support/request";
import { startService } from "@/tests/support/service";
import { beginPost, openSocket } from "@/tests/support/sockets";
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
      await service.shown(new RegExp(`${line}$`, "m"));
  });

  test("does without a variable of an earlier version, and says so once", async () => {
    const said = /^\{"level":40,.*REDIS_URL is no longer read\. Remove it: .*$/gm;
    await service.shown(new RegExp(said, "m"));
    expect(service.output.match(said)).toHaveLength(1);
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
  await service.shown(new RegExp(`^ {2}Browsers refuse to open port ${BLOCKED}: `, "m"));
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
  await service.shown(new RegExp(`running at http://localhost:${PORT}`));
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

const SIGN_IN = "/api/auth/callback/credentials";
const CUT_OFF = "unfinished requests are cut off";
const origin = (port: number) => `http://127.0.0.1:${port}`;

/** A service that was told to end takes no new connection. */
const expectRefused = (port: number) =>
  vi.waitFor(() => expect(get(port, "/health")).rejects.toMatchObject({ code: "ECONNREFUSED" }), 60_000);

test.concurrent.each([
  ["SIGTERM", "npm"],
  ["SIGINT", "node"],
] as const)(
  "%s to %s answers who waits, lets a running request finish, takes no new one, and ends with 0",
  async (signal, startedBy) => {
    await using service = new Service({}, { startedBy });
    const port = await service.port();
    const body = "username=nobody&password=nothing";
    const running = await beginPost(origin(port), SIGN_IN, body.length);
    const expectAnswer = await waitForStatus(origin(port));
    // Must not keep it alive.
    await openSocket(origin(port));

    service.signal(signal);
    await expectAnswer();
    await expectRefused(port);
    running.socket.write(body);
    await running.closed;
    expect(running.received()).toMatch(/\r\n\r\nHTTP\/1\.1 [34]\d\d /);
    expect(await service.exit()).toBe(0);
    expect(service.output).not.toContain(CUT_OFF);
  },
);

test.concurrent.each([
  ["one signal: what does not finish is cut off after a while", false, 0],
  ["a second signal does not wait", true, 1],
] as const)("%s", async (_, again, status) => {
  await using service = new Service();
  const port = await service.port();
  await beginPost(origin(port), SIGN_IN, 10);
  service.signal("SIGTERM");
  if (again) {
    await expectRefused(port);
    // Within a second it counts as the same one.
    await sleep(1_200);
    service.signal("SIGTERM");
  }
  expect([await service.exit(), service.output.includes(CUT_OFF)]).toEqual([status, !again]);
});

/** Waits for a code's status at the service, and returns what came of it once the service has taken the request. */
async function waitForStatus(url: string) {
  const { body, headers } = await sendTo(url, "/link/code");
  const wait = (seconds: number) =>
    sendTo(url, "/link/status", {
      query: { code: String(body?.code) },
      headers: { "Link-Secret": String(headers["link-secret"]), Prefer: `wait=${seconds}` },
    });
  const waiting = wait(25);
  // The service took the request when it answers one that came later on another connection.
  expect((await wait(1)).headers["preference-applied"]).toBe("wait=1");
  return async () => {
    const { status, text, headers: last } = await waiting;
    expect([status, text, last["preference-applied"]]).toEqual([404, '{"status":"pending"}', undefined]);
  };
}

test.concurrent("plain Next that is told to stop answers those who wait first", async () => {
  const service = await startService({ lane: "next", database: "sqlite" });
  try {
    const expectAnswer = await waitForStatus(service.url);
    for (const pid of service.pids()) process.kill(pid, "SIGTERM");
    await expectAnswer();
    await service.ended();
    expect(readFileSync(service.logFile, "utf8")).not.toContain(CUT_OFF);
  } finally {
    await service.stop();
  }
});

/** Node's inspector, if nothing names another. */
const INSPECTOR_PORT = 9229;

test.concurrent("SIGHUP ends it as well: /ready says 503 for a moment, all else is answered", async () => {
  await using service = new Service();
  const port = await service.port();
  expect((await get(port, "/ready")).status).toBe(200);
  service.signal("SIGHUP");
  await vi.waitFor(async () => expect((await get(port, "/ready")).status).toBe(503), 60_000);
  expect((await get(port, "/health")).status).toBe(200);
  expect(await service.exit()).toBe(0);
});

test.concurrent("SIGUSR1 and SIGUSR2 open no inspector and end nothing, SIGQUIT does", async () => {
  await using service = new Service();
  const port = await service.port();
  for (const signal of ["SIGUSR1", "SIGUSR2"] as const) service.signal(signal);
  await sleep(500);
  const isOpen = await new Promise<boolean>((resolve) => {
    const socket = connect(INSPECTOR_PORT, "127.0.0.1", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
  expect([isOpen, service.output.includes("Debugger")]).toEqual([false, false]);
  expect((await get(port, "/health")).status).toBe(200);
  service.signal("SIGQUIT");
  expect(await service.exit()).toBe(0);
});
