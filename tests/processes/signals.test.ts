import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { get } from "@/tests/server/service";
import { Service } from "./npm-start";

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
