import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, get } from "node:http";
import type { Socket } from "node:net";
import { beforeAll, expect, test } from "vitest";
import { runScript } from "@/tests/support/admin";
import { callAction } from "@/tests/support/call-action";
import { tellPostgres } from "@/tests/support/databases";
import { ask } from "@/tests/support/http";
import { beginPost } from "@/tests/support/sockets";
import { signInByPassword } from "@/tests/support/user";
import { PASSWORD, startWithOneUser } from "./one-user";

const log = () => readFileSync(own.service.logFile, "utf8");

const WORKERS = 2;
const [CONNECTIONS, REQUESTS_EACH] = [4, 5];
// Without METRICS_TOKEN: nothing is measured before somebody looks.
const own = startWithOneUser("postgresql", () => ({ WEB_CONCURRENCY: String(WORKERS), METRICS_TOKEN: "" }));
let cookie: string;
beforeAll(async () => {
  await tellPostgres(own.service.storage.DATABASE_URL, `UPDATE "User" SET "role" = 'admin'`);
  cookie = await signInByPassword(own.service.url, own.user.username, PASSWORD);
});

const primary = () => own.service.pids()[0] ?? 0;
const workers = () =>
  execFileSync("ps", ["-o", "pid=", "--ppid", String(primary())], { encoding: "utf8" })
    .trim()
    .split(/\s+/)
    .map(Number);

/** How many requests were answered since somebody first looked, as the page's script reads it. */
async function answered(): Promise<{ source: string; count: number }> {
  const { status, text } = await callAction(own.service.url, "/admin", "readLiveNumbers", [], { cookie });
  expect(status, text).toBe(200);
  const { source, within } = JSON.parse(/^1:(.*)$/m.exec(text)?.[1] ?? "").ok;
  return { source, count: within.at(-1)?.count ?? 0 };
}

/** Sends some requests over one connection, which stays with one worker. */
async function connected(): Promise<Socket> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let socket: Socket | undefined;
  for (let count = 0; count < REQUESTS_EACH; count++)
    await new Promise((resolve, reject) => {
      const sending = get(`${own.service.url}/health`, { agent }, (response) => response.resume().on("end", resolve));
      sending.on("socket", (used) => (socket = used)).on("error", reject);
    });
  if (!socket) throw new Error("There was no connection.");
  return socket;
}

test("as many processes as WEB_CONCURRENCY says answer, after one of them has migrated", async () => {
  await expect.poll(async () => (await ask("/ready", {}, own.service.url)).status).toBe(200);
  expect(workers()).toHaveLength(WORKERS);
  expect(log().split("migrated the database")).toHaveLength(2);
});

test("live numbers add up what both have answered; one that dies is replaced, and nobody is refused", async () => {
  const first = await answered();
  // Whoever is asked has told the others by now: their messages arrive in order.
  const start = await answered();
  expect(first.count).toBe(0);
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, connected));
  const count = start.count + CONNECTIONS * REQUESTS_EACH;
  for (const reading of await Promise.all(Array.from({ length: 6 }, answered)))
    expect(reading).toEqual({ source: start.source, count });

  // Some of the connections were with the one, some with the other.
  const closed = sockets.map((socket) => new Promise((resolve) => socket.once("close", resolve)));
  let lost = 0;
  for (const one of closed) void one.then(() => lost++);
  const before = workers();
  process.kill(before[0] ?? 0, "SIGKILL");
  await Promise.race(closed);
  // Then the new one is handed its share too.
  const isReplaced = () => log().includes("a worker replaced one that ended");
  for (let after = 0; after < 10 * WORKERS; after += isReplaced() ? 1 : 0) {
    const headers = { Connection: "close" };
    const response = await fetch(`${own.service.url}/me?auth=${own.user.token}`, { headers }).catch(() => undefined);
    if (response) expect(response.status).toBe(200);
  }
  expect(lost).toBeGreaterThan(0);
  expect(lost).toBeLessThan(CONNECTIONS);
  for (const socket of sockets) socket.destroy();
  expect(log()).toContain("a worker ended and will be replaced");
  expect(workers()).toHaveLength(WORKERS);
  expect(workers().filter((pid) => !before.includes(pid))).toHaveLength(1);
});

test("SIGTERM ends all processes, and the running request is answered first", async () => {
  const body = "username=nobody&password=nothing";
  const running = await beginPost(own.service.url, "/api/auth/callback/credentials", body.length);
  const before = workers();
  process.kill(primary(), "SIGTERM");
  running.socket.write(body);
  await running.closed;
  expect(running.received()).toMatch(/\r\n\r\nHTTP\/1\.1 [34]\d\d /);
  await own.service.ended();
  for (const pid of before) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  await expect(fetch(`${own.service.url}/health`)).rejects.toThrow();
});

test("WEB_CONCURRENCY is refused with the embedded database, in a sentence that says why", async () => {
  const environment = { PATH: process.env.PATH, NODE_ENV: "production" as const, WEB_CONCURRENCY: "2" };
  expect(await runScript("scripts/check-configuration.ts", [], environment)).toEqual({
    status: 1,
    stdout: "",
    stderr: expect.stringMatching(/^WEB_CONCURRENCY must be 1 with the embedded database, [^\n]+PostgreSQL[^\n]+\.\n$/),
  });
});
