import { beforeAll, expect, test } from "vitest";
import { residentBytes } from "@/tests/soak/memory";
import { smallDocument } from "@/tests/support/documents";
import { ask } from "@/tests/support/http";
import { dribble, openSockets } from "@/tests/support/sockets";
import { startWithOneUser } from "./one-user";

const MB = 1_000_000;
const DOCUMENT_BYTES = 12 * MB;
/**
 * Of a download that waits for its client: eight pieces as they are stored, four of 256 KB as they are sent, and what
 * is not collected yet.
 */
const BYTES_A_READER = 4 * MB;

const own = startWithOneUser();
beforeAll(async () => {
  const { operator, user } = own;
  await operator.tell("importDocument", user, JSON.stringify(smallDocument(user.username, "x".repeat(DOCUMENT_BYTES))));
});

test("200 clients that send a form byte by byte keep nobody from an answer", async () => {
  const slow = await openSockets(
    200,
    own.service.url,
    "POST /signup HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 100000\r\n\r\n",
  );
  const stop = dribble(slow);
  await own.expectAnswers();
  stop();
  for (const { socket } of slow) socket.destroy();
  await own.expectAnswers();
});

test("50 clients that ask for 12 MB and read nothing delay nobody, and hold a few pieces of it each", async () => {
  const reads = () => ask("/read-files", { query: { auth: own.user.token } }, own.service.url);
  // What the service takes once, whoever asks, is taken before anything is measured.
  for (let count = 0; count < 10; count++) await Promise.all([own.expectAnswers(), reads(), reads()]);
  const before = await residentBytes(own.service.pids()[0] ?? 0);
  const deaf = await openSockets(
    50,
    own.service.url,
    `GET /read-files?auth=${own.user.token} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    false,
  );
  await own.expectAnswers();
  expect((await reads()).bytes.length).toBeGreaterThan(DOCUMENT_BYTES);
  expect((await residentBytes(own.service.pids()[0] ?? 0)) - before).toBeLessThan(50 * BYTES_A_READER);
  for (const { socket } of deaf) socket.destroy();
  await own.expectAnswers();
});
