import { execFileSync } from "node:child_process";
import { Agent, get } from "node:http";
import type { Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runAdmin } from "@/tests/support/admin";
import { callAction } from "@/tests/support/call-action";
import { type RunningService, startService } from "@/tests/support/service";
import { signInByPassword } from "@/tests/support/sign-in";

const PASSWORD = "correct horse battery";
const [CONNECTIONS, REQUESTS_EACH] = [4, 5];

let service: RunningService;
let cookie: string;
beforeAll(async () => {
  // Without METRICS_TOKEN: nothing is measured before somebody looks.
  const variables = { WEB_CONCURRENCY: "2", METRICS_TOKEN: "" };
  service = await startService({ lane: "direct", database: "postgresql" }, variables);
  const environment = { PATH: process.env.PATH, NODE_ENV: "production" as const, ...service.storage };
  const env = { ...environment, NEXTAUTH_URL: service.url };
  expect(await runAdmin(["user:create", "grace"], env, PASSWORD)).toMatchObject({ status: 0 });
  expect(await runAdmin(["user:role", "grace", "admin"], env)).toMatchObject({ status: 0 });
  cookie = await signInByPassword(service.url, "grace", PASSWORD);
});
afterAll(() => service?.stop());

/** How many requests were answered since somebody first looked, as the page's script reads it. */
async function answered(): Promise<{ source: string; count: number }> {
  const { text } = await callAction(service.url, "/admin", "readLiveNumbers", [], { cookie });
  const { source, within } = JSON.parse(/^1:(.*)$/m.exec(text)?.[1] ?? "").ok;
  return { source, count: within.at(-1)?.count ?? 0 };
}

/** Sends some requests over one connection, which stays with one worker. */
async function connected(): Promise<Socket> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let socket: Socket | undefined;
  for (let count = 0; count < REQUESTS_EACH; count++)
    await new Promise((resolve, reject) => {
      const sending = get(`${service.url}/health`, { agent }, (response) => response.resume().on("end", resolve));
      sending.on("socket", (used) => (socket = used)).on("error", reject);
    });
  if (!socket) throw new Error("There was no connection.");
  return socket;
}

const workers = () =>
  execFileSync("ps", ["-o", "pid=", "--ppid", String(service.pids()[0])], { encoding: "utf8" })
    .trim()
    .split(/\s+/)
    .map(Number);

test("live numbers add up what both workers answered, whichever of them is asked", async () => {
  const first = await answered();
  // Whoever is asked has told the others by now: their messages arrive in order.
  const before = await answered();
  expect(first.count).toBe(0);
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, connected));
  const after = await Promise.all(Array.from({ length: 6 }, answered));
  for (const reading of after)
    expect(reading).toEqual({ source: before.source, count: before.count + CONNECTIONS * REQUESTS_EACH });

  // Some of the connections were with the one, some with the other.
  const closed = sockets.map((socket) => new Promise((resolve) => socket.once("close", resolve)));
  let lost = 0;
  for (const one of closed) void one.then(() => lost++);
  process.kill(workers()[0] ?? 0, "SIGKILL");
  await Promise.race(closed);
  await expect.poll(async () => (await fetch(`${service.url}/health`)).status).toBe(200);
  expect(lost).toBeGreaterThan(0);
  expect(lost).toBeLessThan(CONNECTIONS);
  for (const socket of sockets) socket.destroy();
});
