import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { beforeAll, expect, test } from "vitest";
import { expectError, expectSuccess } from "@/tests/contract/answers";
import { smallDocument } from "@/tests/support/documents";
import { ask } from "@/tests/support/http";
import { sized } from "@/tests/support/size";
import { dribble, openSockets } from "@/tests/support/sockets";
import { breakOff, startWithOneUser } from "./one-user";

const MB = 1_000_000;
/** More than the buffers between both ends hold. */
const DOCUMENT_BYTES = 12 * MB;
const AT_ONCE = 20;
const ABORTED = sized(60, 500);
/**
 * Of a download that waits for its client: eight pieces as they are stored, four of 256 KB as they are sent, and what
 * is not collected yet.
 */
const BYTES_A_READER = 4 * MB;

const own = startWithOneUser();
let document: string;
beforeAll(async () => {
  const text = randomBytes((DOCUMENT_BYTES * 3) / 4).toString("base64");
  document = JSON.stringify(smallDocument(own.user.username, text));
  await own.operator.tell("importDocument", own.user, document);
});

const call = (path: string, query: Record<string, string> = {}) =>
  ask(path, { query: { ...query, auth: own.user.token } }, own.service.url);
const reads = () => call("/read-files");
const request = (header = "") => `GET /read-files?auth=${own.user.token} HTTP/1.1\r\nHost: localhost\r\n${header}\r\n`;

test("while another process writes for longer than anybody waits, reads continue, and writes get 503", async () => {
  const id = String(expectSuccess(await call("/keys/create", { data: "before", price: "1" })).body?.key);
  const other = new Database(join(String(own.service.storage.DATA_DIR), "latchkey.db"));
  other.exec("BEGIN IMMEDIATE");
  let areRefused = false;
  const refused = Promise.all([
    call("/keys/create", { data: "lost", price: "1" }),
    call(`/keys/update/${id}`, { key: "data", data: "lost" }),
    call(`/keys/delete/${id}`),
  ]).finally(() => {
    areRefused = true;
  });
  let reads = 0;
  for (; !areRefused; reads++) {
    expect(expectSuccess(await call(`/keys/get/${id}`)).body?.data).toBe("before");
    await sleep(100);
  }
  // Each of them while the writes waited: none waited with them.
  expect(reads).toBeGreaterThan(5);
  for (const answer of await refused) expectError(answer, 503, "unavailable");
  other.exec("COMMIT");
  other.close();
  expect((await call("/keys/mine")).list.map(({ data }) => data)).toEqual(["before"]);
  expectSuccess(await call(`/keys/update/${id}`, { key: "data", data: "after" }));
});

test.each([
  ["their headers", "GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: "],
  ["a form", "POST /signup HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 100000\r\n\r\n"],
])("200 clients that send %s byte by byte keep nobody from an answer", async (_, head) => {
  const slow = await openSockets(200, own.service.url, head);
  const stop = dribble(slow);
  await own.expectAnswers();
  stop();
  for (const { socket } of slow) socket.destroy();
  await own.expectAnswers();
});

test("50 clients that ask for 12 MB and read nothing delay nobody, and hold a few pieces of it each", async () => {
  // What the service takes once, whoever asks, is taken before anything is measured.
  for (let count = 0; count < 4; count++) await Promise.all([own.expectAnswers(), reads(), reads()]);
  const noted = await own.note();
  const deaf = await openSockets(50, own.service.url, request(), false);
  await own.expectAnswers();
  expect((await reads()).bytes.length).toBeGreaterThan(DOCUMENT_BYTES);
  expect(await noted.growth()).toBeLessThan(50 * BYTES_A_READER);
  for (const { socket } of deaf) socket.destroy();
  await noted.expectNothingLeft();
});

/** At once, after the headers, or in the middle. */
const breakOffOne = (n: number) =>
  breakOff(own.service.url, request(n % 2 === 0 ? "Accept-Encoding: gzip\r\n" : ""), {
    bytes: [0, 1, 100_000, 3 * MB][n % 4] ?? 0,
    isRude: n % 3 === 0,
  });

async function breakOffMany(count: number): Promise<void> {
  for (let n = 0; n < count; n += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, more) => breakOffOne(n + more)));
}

test("aborted downloads leave no open file or handle, no memory and no error", async () => {
  await breakOffMany(60);
  await sleep(1_000);
  const noted = await own.note();
  await breakOffMany(ABORTED);
  await noted.expectNothingLeft();
  // Half of what so many would hold that are still read.
  expect(await noted.growth()).toBeLessThan((ABORTED * BYTES_A_READER) / 2);
  expect((await reads()).text).toBe(document);
});
