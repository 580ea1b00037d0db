import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { declareServer } from "@/lib/platform/network/network";
import { roomForBodies } from "@/server/bodies";
import { awaitBody, limitBodyTime } from "@/server/buffered-body";
import { ACTION_IDS, hostileActions, hostileRequests } from "@/tests/support/hostile-requests";
import { openSocket } from "@/tests/support/sockets";
import { listen, serve } from "./service";

beforeAll(declareServer);
afterEach(() => void vi.useRealTimers());

const limits = { ofNetwork: { count: 4, bytes: 400 }, ofAll: { count: 8, bytes: 800 } };
const refusal = (status: number) => expect.objectContaining({ status });

function senders(...networks: string[]) {
  const bodies = roomForBodies(limits);
  return networks.map((network) => {
    const cut: string[] = [];
    const begin = (name: string, bytes = 10) => {
      const names = network === "unconfigured proxy" ? [name, network] : [network];
      const body = { names, bytes, cut: () => cut.push(name) };
      bodies.enter(body);
      return () => bodies.leave(body);
    };
    return { cut, begin };
  }) as [Sender, Sender, Sender];
}
type Sender = { cut: string[]; begin: (name: string, bytes?: number) => () => void };

test("a network has its share, by count and by bytes, and gets it back", () => {
  const [one, two] = senders("one", "two");
  const leave = ["1", "2", "3", "4"].map((name) => one.begin(name));
  expect(() => one.begin("5")).toThrow(expect.objectContaining({ status: 429, headers: { "Retry-After": "2" } }));
  leave[0]?.();
  leave[0]?.();
  one.begin("5");
  expect(() => one.begin("6")).toThrow(refusal(429));
  two.begin("large", 390);
  expect(() => two.begin("larger", 20)).toThrow(refusal(429));
});

test("where all places are held by who finishes nothing, his oldest goes, and the newcomer is let in", () => {
  const [greedy, other, newcomer] = senders("greedy", "other", "newcomer");
  for (const name of ["1", "2", "3", "4"]) {
    greedy.begin(name);
    if (name !== "4") other.begin(name);
  }
  other.begin("4")();
  newcomer.begin("first");
  newcomer.begin("second");
  expect([greedy.cut, other.cut, newcomer.cut]).toEqual([["1"], [], []]);
});

test("one that alone is too large for what is left cuts as many as it needs, and nobody who holds less", () => {
  const [large, small, newcomer] = senders("large", "small", "newcomer");
  for (const name of ["1", "2"]) large.begin(name, 200);
  small.begin("1", 100);
  newcomer.begin("1", 300);
  newcomer.begin("2", 20);
  expect([large.cut, small.cut]).toEqual([["1"], []]);
  expect(() => small.begin("2", 300)).toThrow(refusal(503));
});

test("behind a proxy that nobody configured all are one network, and none has a share of its own to exceed", () => {
  const [everybody] = senders("unconfigured proxy");
  for (let name = 1; name <= 8; name++) everybody.begin(String(name));
  expect(() => everybody.begin("9")).toThrow(refusal(503));
});

test("bodies that nobody finishes never reach Next, and leave room for every other network", async () => {
  let reachedNext = 0;
  await using service = await listen({
    proxies: "loopback",
    actions: hostileActions,
    page: async (_, response) => {
      reachedNext++;
      response.end("done");
    },
  });
  const unfinished = hostileRequests.find(({ name }) => name === "an unfinished body to an action");
  const one = await Promise.all(Array.from({ length: 140 }, () => openSocket(service.url)));
  for (const { socket } of one) socket.write(unfinished?.bytes("198.51.100.1") ?? "");
  const refused = () => one.filter(({ received }) => received().startsWith("HTTP/1.1 429"));
  await expect.poll(() => refused().length).toBe(12);
  expect(refused()[0]?.received()).toMatch(/retry-after: 2/i);
  expect(reachedNext).toBe(0);

  const signUp = async (network: string) => {
    const about = { "Next-Action": ACTION_IDS.strangers, "Content-Type": "text/plain", "X-Forwarded-For": network };
    const { status, text } = await fetch(`${service.url}/signup`, { method: "POST", headers: about, body: "[]" }).then(
      async (answer) => ({ status: answer.status, text: await answer.text() }),
    );
    return `${status} ${text}`;
  };
  expect(await signUp("198.51.100.2")).toBe("200 done");
  // Who goes away gives his places back.
  for (const { socket } of one) socket.destroy();
  await expect.poll(() => signUp("198.51.100.1")).toBe("200 done");
});

const asRoutesReadIt = (body: object) => {
  const asNextDoes: object = { method: "POST", body, duplex: "half" };
  return new Request("http://127.0.0.1/", asNextDoes).text();
};

test.each([0, 1, 100, 300_000])(
  "a route reads a body of %i letters whole after the gate has looked at it",
  async (length) => {
    await using service = await serve(async (request, response) => {
      const read = awaitBody(request, { bodyBytes: 1_000_000 }).then(() => asRoutesReadIt(request));
      response.end(await read.catch((error: Error) => `failed: ${error.message}`));
    });
    const body = "x".repeat(length);
    expect(await (await fetch(service.url, { method: "POST", body })).text()).toBe(body);
  },
);

const toFake = ["setInterval" as const, "clearInterval" as const, "performance" as const];

interface Begun extends AsyncDisposable {
  client: Socket;
  answer: () => string;
  isCut: () => boolean;
  drip: (minutes: number) => Promise<void>;
}

/** A request of 100 bytes whose first is sent; the server answers when it has all of them. */
async function beginRequest(path: string): Promise<Begun> {
  let arrived = 0;
  const service = await serve(
    (request, response) => {
      limitBodyTime(request, response, path);
      request.on("error", () => {});
      request.on("data", (bytes: Buffer) => (arrived += bytes.length));
      request.on("end", () => response.end("whole"));
    },
    { requestTimeout: 0 },
  );
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n`;
  const { socket: client, received: answer, closed } = await openSocket(service.url, head);
  let isCut = false;
  void closed.then(() => (isCut = true));
  const drop = async () => {
    const before = arrived;
    if (client.writable) client.write("x");
    while (arrived === before && !isCut) await sleep(2);
  };
  const drip = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) {
      vi.advanceTimersByTime(50_000);
      await drop();
      vi.advanceTimersByTime(10_000);
      await sleep(5);
    }
  };
  await drop();
  return { client, answer, isCut: () => isCut, drip, [Symbol.asyncDispose]: service[Symbol.asyncDispose] };
}

test.each(["/files", "/files/import"])("%s: a body that falls silent is cut off, and told why", async (path) => {
  vi.useFakeTimers({ toFake });
  await using request = await beginRequest(path);
  vi.advanceTimersByTime(50_000);
  await sleep(20);
  expect(request.answer()).toBe("");
  vi.advanceTimersByTime(20_000);
  await expect.poll(request.isCut).toBe(true);
  expect(request.answer()).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s);
});

test("a body that drips may take five minutes, a whole document as long as it needs", async () => {
  vi.useFakeTimers({ toFake });
  await using form = await beginRequest("/files/uploads/a");
  await form.drip(4);
  expect(form.answer()).toBe("");
  await form.drip(2);
  await expect.poll(form.isCut).toBe(true);
  expect(form.answer()).toMatch(/^HTTP\/1\.1 408 /);

  await using document = await beginRequest("/files/import");
  await document.drip(98);
  expect(document.answer()).toBe("");
  document.client.write("x");
  await expect.poll(document.answer).toMatch(/^HTTP\/1\.1 200 .*whole$/s);
});
