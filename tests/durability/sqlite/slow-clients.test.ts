import { afterAll, beforeAll, expect, test } from "vitest";
import { residentBytes } from "@/tests/soak/memory";
import { type Operator, startOperator } from "@/tests/soak/operator";
import { smallDocument } from "@/tests/support/documents";
import { ask } from "@/tests/support/http";
import { type RunningService, startService } from "@/tests/support/service";
import { dribble, openSockets, type RawConnection } from "@/tests/support/sockets";

const MB = 1_000_000;
const DOCUMENT_BYTES = 12 * MB;
/** Of a download that waits for its client: eight pieces as they are stored, four of 256 KB as they are sent, and what is not collected yet. */
const BYTES_A_READER = 4 * MB;
/** The service reads headers for 20 s and looks every 30 s; a connection that was used stays for 75 s. */
const CUT_WITHIN_MS = 150_000;

let service: RunningService;
let operator: Operator;
let token: string;
beforeAll(async () => {
  service = await startService({ lane: "direct", database: "sqlite" });
  operator = startOperator({ ...service.storage, NEXTAUTH_URL: service.url });
  const user = await operator.tell("createUser", "someone", "correct horse battery");
  token = user.token;
  await operator.tell("importDocument", user, JSON.stringify(smallDocument(user.username, "x".repeat(DOCUMENT_BYTES))));
});
afterAll(async () => {
  operator?.stop();
  await service?.stop();
});

/** Others are answered as always: on connections that are open, and on new ones. */
async function expectAnswers(): Promise<void> {
  for (let count = 0; count < 20; count++) {
    expect((await ask("/me", { query: { auth: token } }, service.url)).status).toBe(200);
    expect((await ask("/health", { headers: { Connection: "close" } }, service.url)).status).toBe(200);
  }
  const [data, price] = ["kept", "1"];
  expect((await ask("/keys/create", { query: { auth: token, data, price } }, service.url)).status).toBe(200);
  expect((await ask("/signin", {}, service.url)).status).toBe(200);
}

const allClosed = (connections: RawConnection[]) => Promise.all(connections.map(({ closed }) => closed));

// Mostly waiting, so they wait together.
test.concurrent("200 clients that send their headers byte by byte keep nobody from an answer, and are told 408 and cut", {
  timeout: CUT_WITHIN_MS,
}, async () => {
  const slow = await openSockets(200, service.url, "GET /health HTTP/1.1\r\nHost: a\r\nX-Slow: ");
  const stop = dribble(slow);
  await expectAnswers();
  await allClosed(slow);
  stop();
  expect(new Set(slow.map(({ received }) => received().slice(0, 12)))).toEqual(new Set(["HTTP/1.1 408"]));
});

test.concurrent("1,000 connections on which nothing happens keep nobody from an answer, and are closed", { timeout: CUT_WITHIN_MS }, async () => {
  const silent = await openSockets(500, service.url);
  const used = await openSockets(500, service.url, "GET /health HTTP/1.1\r\nHost: a\r\n\r\n");
  await expect.poll(() => used.filter(({ received }) => received().startsWith("HTTP/1.1 200")).length, { timeout: 30_000 }).toBe(500);
  await expectAnswers();
  await allClosed([...silent, ...used]);
  await expectAnswers();
});

test.concurrent("200 clients that send a form byte by byte keep nobody from an answer", { timeout: 60_000 }, async () => {
  const slow = await openSockets(200, service.url, "POST /signup HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 100000\r\n\r\n");
  const stop = dribble(slow);
  await expectAnswers();
  stop();
  for (const { socket } of slow) socket.destroy();
  await expectAnswers();
});

test("50 clients that ask for 12 MB and read nothing keep nobody from an answer, and hold only a few pieces of it each", { timeout: 60_000 }, async () => {
  const reads = () => ask("/read-files", { query: { auth: token } }, service.url);
  // What the service takes once, whoever asks, is taken before anything is measured.
  for (let count = 0; count < 10; count++) await Promise.all([expectAnswers(), reads(), reads()]);
  const before = await residentBytes(service.pids()[0] ?? 0);
  const deaf = await openSockets(50, service.url, `GET /read-files?auth=${token} HTTP/1.1\r\nHost: a\r\n\r\n`, false);
  await expectAnswers();
  expect((await reads()).bytes.length).toBeGreaterThan(DOCUMENT_BYTES);
  expect((await residentBytes(service.pids()[0] ?? 0)) - before).toBeLessThan(50 * BYTES_A_READER);
  for (const { socket } of deaf) socket.destroy();
  await expectAnswers();
});
