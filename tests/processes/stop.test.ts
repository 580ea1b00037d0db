import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { get } from "@/tests/server/service";
import { sendTo } from "@/tests/support/request";
import { startService } from "@/tests/support/service";
import { beginPost, openSocket } from "@/tests/support/sockets";
import { Service } from "./npm-start";

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

test.concurrent.each(["SIGHUP", "SIGQUIT"] as const)("%s ends the service gracefully, with 0", async (signal) => {
  await using service = new Service({}, { startedBy: "node" });
  await service.port();
  service.signal(signal);
  expect(await service.exit()).toBe(0);
});

test.concurrent("until connections are refused, /ready says 503 for a moment, and all else is answered", async () => {
  await using service = new Service({}, { startedBy: "node" });
  const port = await service.port();
  expect((await get(port, "/ready")).status).toBe(200);
  service.signal("SIGTERM");
  await vi.waitFor(async () => expect((await get(port, "/ready")).status).toBe(503));
  expect((await get(port, "/health")).status).toBe(200);
  expect(await service.exit()).toBe(0);
});

test.concurrent("SIGUSR1 and SIGUSR2 do nothing: no inspector is opened, nothing ends", async () => {
  await using service = new Service({}, { startedBy: "node" });
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
});
