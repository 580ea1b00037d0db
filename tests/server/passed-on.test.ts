import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { hostname } from "node:os";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { log } from "@/lib/platform/log";
import { type Network, networkBehind } from "@/lib/platform/network/network";
import { type Front, frontOf } from "@/server/front";
import { lanes } from "@/server/lanes";
import { arrive } from "./arrival";
import { serve } from "./service";

const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
afterAll(() => warn.mockRestore());
beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

const DAY = 86_400_000;
const HERE: Network = { id: "loopback", kind: "local" };
const TUNNEL = networkBehind("loopback");
const remote = (id: string): Network => ({ id, kind: "remote" });
/** From this machine, by its own address or over loopback. */
const from = (front: Front, Host: string, how: { url?: string; version?: string } = {}, peer = "127.0.0.1") =>
  arrive(front, peer, { Host }, { ...how, own: peer }).network;
/** Whatever becomes of it: a host that is not the service's own is refused. */
const send = (front: Front, Host: string, how?: { url?: string; version?: string }, peer?: string) => {
  try {
    from(front, Host, how, peer);
  } catch (error) {
    expect(error).toMatchObject({ status: 421 });
  }
};

test.each([
  ["another port", "localhost:8080", undefined],
  ["a name on the internet, which is refused", "tunnel.example", undefined],
  ["an address", "203.0.113.7:3000", undefined],
  ["another port, with the address that is set", "localhost:8080", "http://localhost:3000"],
])("once somebody came through this machine by %s, who says to be a program of it is nobody", (_, Host, origin) => {
  const front = frontOf(undefined, origin);
  for (const peer of ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
    expect(from(front, "localhost:3000", {}, peer)).toEqual(HERE);
  send(front, Host);
  for (const peer of ["127.0.0.1", "::1", "127.0.0.9"])
    for (const own of ["localhost:3000", "127.0.0.1:3000", "[::1]:3000"])
      expect(from(front, own, {}, peer)).toEqual(TUNNEL);
});

test("until a week after the last of them", () => {
  const front = frontOf(undefined, undefined);
  send(front, "tunnel.example");
  vi.advanceTimersByTime(6 * DAY);
  expect(from(front, "localhost:3000")).toEqual(TUNNEL);
  send(front, "tunnel.example");
  vi.advanceTimersByTime(6 * DAY);
  expect(from(front, "localhost:3000")).toEqual(TUNNEL);
  vi.advanceTimersByTime(DAY);
  expect(from(front, "localhost:3000")).toEqual(HERE);
});

test("also after a restart and in other processes, which is noted once an hour, or again if that failed", async () => {
  const noted: unknown[] = [];
  let [last, isStored] = [0, true];
  const lastPassed = async () => last;
  const note = (proxy: object) => {
    if (!("isPassing" in proxy)) return;
    noted.push(proxy);
    if (isStored) last = Date.now();
  };
  const front = frontOf(undefined, undefined, { note, lastPassed });
  await front.recall();
  const pass = async (times: number) => {
    noted.length = 0;
    for (let time = 0; time < times; time++) {
      send(front, "tunnel.example");
      await vi.advanceTimersByTimeAsync(2 * 60_000);
    }
    return noted;
  };
  const passing = { proxy: "127.0.0.1", isSilent: true, isPassing: true };
  expect(await pass(90)).toEqual([passing, passing, passing]);
  isStored = false;
  expect((await pass(90)).length).toBeGreaterThan(20);
  const other = frontOf(undefined, undefined, { lastPassed });
  last = 0;
  await other.recall();
  expect(from(other, "localhost:3000")).toEqual(HERE);
  last = Date.now();
  await other.recall();
  expect(from(other, "localhost:3000")).toEqual(TUNNEL);
  vi.advanceTimersByTime(8 * DAY);
  expect(from(other, "localhost:3000")).toEqual(HERE);
});

test("but not by probes, by HTTP/1.0 or by whoever writes headers of a proxy: those show no tunnel", () => {
  const front = frontOf(undefined, undefined);
  for (const url of ["/health", "/live", "/ready", "/metrics"]) send(front, "container-7:3000", { url });
  expect(from(front, "127.0.0.1:3000", { version: "1.0" })).toEqual(TUNNEL);
  arrive(front, "127.0.0.1", { Host: "localhost:8080", "X-Forwarded-For": "203.0.113.7" });
  expect(from(front, "localhost:3000")).toEqual(HERE);
});

test("a tunnel that comes by this machine's own address is as much one, and a program there is not", () => {
  const own = "192.168.1.5";
  const front = frontOf(undefined, undefined);
  expect(from(front, `${own}:3000`, {}, own)).toEqual(remote(own));
  expect(from(front, "localhost:8080", {}, own)).toEqual(networkBehind(own));
  expect(from(front, `${own}:3000`, {}, own)).toEqual(networkBehind(own));
  expect(arrive(front, "192.168.1.7", { Host: "localhost:8080" }, { own }).network).toEqual(remote("192.168.1.7"));
  const named = frontOf(undefined, "http://localhost:3000");
  expect(from(named, "localhost:3000", {}, own)).toEqual(remote(own));
  const secure = frontOf(undefined, "https://keys.example");
  expect(from(secure, `${own}:3000`, {}, own)).toEqual(networkBehind(own));
});

test("what ends TLS elsewhere and names no client is a proxy, since this service has no TLS", () => {
  const front = frontOf(undefined, "https://keys.example");
  for (const peer of ["10.0.0.5", "203.0.113.7", "fd00:1:2:3::4"]) {
    expect(arrive(front, peer, { Host: "keys.example" }).network.kind).toBe("shared");
    expect(arrive(front, peer, { Host: "10.0.0.9:3000" }).network.kind).toBe("remote");
  }
  expect(arrive(frontOf(undefined, "http://keys.example"), "10.0.0.5", { Host: "keys.example" }).network.kind).toBe(
    "remote",
  );
});

test("a tunnel to the machine's own address is one whatever NEXTAUTH_URL is, unless that leads to this machine", () => {
  const own = "192.168.1.5";
  const elsewhere = frontOf(undefined, "http://nas.lan:3000");
  for (const Host of ["nas.lan:3000", `${own}:3000`])
    expect(from(elsewhere, Host, {}, own)).toEqual(networkBehind(own));
  for (const name of [own, hostname(), "localhost"]) {
    const front = frontOf(undefined, `http://${name}:3000`);
    for (const Host of [`${name}:3000`, `${own}:3000`]) expect(from(front, Host, {}, own)).toEqual(remote(own));
  }
});

test("programs here may name no address at all, or this machine where its name is a loopback address", () => {
  const front = frontOf(undefined, undefined);
  for (const Host of ["0.0.0.0:3000", "[::]:3000"]) expect(from(front, Host)).toEqual(HERE);
  const named = frontOf(undefined, `http://${hostname()}:3000`);
  const Host = `${hostname()}:3000`;
  for (const own of ["127.0.1.1", "::ffff:127.0.1.1"])
    for (const each of [front, named]) expect(arrive(each, "127.0.0.1", { Host }, { own }).network).toEqual(HERE);
  for (const own of ["127.0.0.1", "::ffff:127.0.0.1", "::1"]) {
    const other = frontOf(undefined, undefined);
    arrive(other, "127.0.0.1", { Host }, { own: "127.0.1.1" });
    expect(arrive(other, "127.0.0.1", { Host }, { own }).network).toEqual(TUNNEL);
  }
});

test("a program here that leaves before its turn says nothing about the others", async () => {
  vi.useRealTimers();
  // Each takes a whole turn of the event loop, so that those behind it wait for the next ones.
  const routeOf = () => {
    for (const end = performance.now() + 12; performance.now() < end; );
    return "(page)";
  };
  const next = async ({ headers }: IncomingMessage, response: ServerResponse) =>
    void response.end(headers["x-latchkey-network"]);
  await using service = await serve(lanes(next, frontOf(undefined, undefined), { routeOf }));
  const sockets = Array.from({ length: 8 }, () => connect(service.port, "127.0.0.1"));
  const send = (socket: Socket) => {
    socket.write(`GET /account HTTP/1.1\r\nHost: 127.0.0.1:${service.port}\r\n\r\n`);
    return once(socket, "data");
  };
  await Promise.all(sockets.map(send));
  const answers = sockets.map(send);
  await answers[0];
  for (const socket of sockets.slice(4)) socket.resetAndDestroy();
  await Promise.all(answers.slice(0, 4));
  expect(await (await fetch(`${service.url}/account`)).text()).toBe("local loopback");
});
