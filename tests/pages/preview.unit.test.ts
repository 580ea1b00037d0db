import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { preview } from "@/app/(pages)/files/preview";

const LONGEST = 512 * 1024;
const CHUNK = 64 * 1024;
let sent = 0;
let closed: Promise<unknown>;

/** Sends text without an end, as fast as it is read. */
const server = createServer((_, response) => {
  closed = once(response, "close");
  response.setHeader("Content-Type", "text/plain; charset=utf-8");
  const send = () => {
    while (!response.destroyed) {
      sent += CHUNK;
      if (!response.write("a".repeat(CHUNK))) return;
    }
  };
  response.on("drain", send);
  send();
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

test("a preview is the first 512 KB of a text, and the rest is not loaded", async () => {
  const { port } = server.address() as AddressInfo;
  const shown = await preview(`http://127.0.0.1:${port}`, new AbortController().signal);
  expect(shown).toEqual({ kind: "text", text: "a".repeat(LONGEST), isCut: true });
  await closed;
  // What the connection's buffers hold may have been sent, too.
  expect(sent).toBeLessThan(50 * LONGEST);
});
