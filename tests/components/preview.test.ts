import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { preview, setOut } from "@/app/(pages)/files/preview";

const LONGEST = 512 * 1024;
const CHUNK = 64 * 1024;
let sent = 0;
let closed: Promise<unknown>;

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

test.each([
  ['{"a":[1,2.5,"b c"]}', '{\n  "a": [\n    1,\n    2.5,\n    "b c"\n  ]\n}'],
  ['{ "a" : 1 }', '{\n  "a": 1\n}'],
])("%s is set out in lines", (text, shown) => expect(setOut(text)).toBe(shown));

test.each([
  ["a number too long for JavaScript", "[12345678901234567890]"],
  ["a number written otherwise", "[1.0, 1e3]"],
  ["a number that is infinite", "[1e999]"],
  ["a name twice", '{"a":1,"a":2}'],
  ["numbers as names, which JavaScript sorts", '{"2":1,"1":2}'],
  ["a letter that is escaped", '["\\u00e9"]'],
  ["no JSON", "[1,"],
  ["text", "1 2 3"],
])("%s is shown as it is stored", (_, text) => expect(setOut(text)).toBe(text));
