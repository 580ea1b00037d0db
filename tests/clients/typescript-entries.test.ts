import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { type Entry, Latchkey } from "@/clients/typescript/src/latchkey";
import { file, idOf, root, smallDocument, values } from "@/tests/support/documents";
import { sized } from "@/tests/support/size";
import { type DocumentServer, serveDocument } from "./servers";

let server: DocumentServer;
afterEach(() => server?.close());

const VALUES = 14;

/** What the client tells of a document, as the document says it. A folder's list of children is not told. */
async function readBack(etag?: string): Promise<unknown[]> {
  const entries = await new Latchkey(server.url).files.read({ etag });
  const all: unknown[] = [];
  for await (const entry of entries ?? []) all.push(...(await asValues(entry)));
  return all;
}

async function asValues(entry: Entry): Promise<unknown[]> {
  const data = entry.isFolder ? null : await entry.text();
  const { x, y, created, edited, icon, size, permissions, id } = await entry.details();
  return [entry.type, entry.name, entry.location, data, x, y, created, edited, icon, size, permissions, id];
}

/** The same of the document itself: without its two unused values. */
const told = (document: unknown[]) =>
  document.flatMap((value, index) => {
    const place = index % VALUES;
    if (place === 4 || place === 7) return [];
    return place === 3 && document[index - 3] === ".folder" ? [null] : [value];
  });

test.each([true, false])("a document comes back as it is, compressed: %s", async (isGzip) => {
  const document = smallDocument("alice", `${'"\\\u0007é😀'.repeat(50_000)}`);
  server = await serveDocument(JSON.stringify(document), "alice", isGzip);
  expect(await readBack()).toEqual(told(document));
  expect(server.sent).toEqual([{ status: 200, coding: isGzip ? "gzip" : "" }]);
});

test("a document comes back as it is, whatever its texts, wherever it is cut, and however often", async () => {
  server = await serveDocument("[]");
  const texts = fc.array(fc.string({ unit: "binary", maxLength: 200 }), { maxLength: 8 });
  const cuts = fc.array(fc.nat(1500), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(texts, cuts, fc.boolean(), async (data, breaks, isPretty) => {
      const document = [
        ...values(root("alice", [idOf(2)])),
        ...data.flatMap((text, n) => values(file("alice", n + 2, text, text.slice(0, 20)))),
      ];
      server.put(JSON.stringify(document, null, isPretty ? 1 : 0));
      server.cuts.splice(0, server.cuts.length, ...breaks);
      expect(await readBack()).toEqual(told(document));
      server.cuts.length = 0;
    }),
    { numRuns: sized(15, 150) },
  );
});

test("a document comes back as it is, even where every response is a few bytes", async () => {
  const document = values(root("alice"));
  server = await serveDocument(JSON.stringify(document), "alice", false);
  server.cuts.push(...Array(Math.floor(JSON.stringify(document).length / 9)).fill(9));
  expect(await readBack()).toEqual(told(document));
});

test("nothing is sent if the version is known, in either form", async () => {
  server = await serveDocument(JSON.stringify(smallDocument("alice")));
  const first = await new Latchkey(server.url).files.read();
  for await (const _ of first ?? []);
  expect(first?.etag).toMatch(/^"\w{16}"$/);
  expect(await new Latchkey(server.url).files.read({ etag: first?.etag })).toBeUndefined();
  expect(server.sent).toHaveLength(1);
});

test("another program goes on where one stopped", async () => {
  const document = smallDocument("alice");
  server = await serveDocument(JSON.stringify(document));
  const latchkey = new Latchkey(server.url);
  const names: string[] = [];
  let from: { etag: string; offset: number } | undefined;
  for (let one = 0; one < 4; one++) {
    const entries = await latchkey.files.read({ from });
    for await (const entry of entries ?? []) {
      names.push(entry.name);
      await entry.details();
      from = { etag: entries?.etag ?? "", offset: entries?.offset ?? 0 };
      break;
    }
  }
  expect(names).toEqual(document.filter((_, index) => index % VALUES === 1));
  expect(server.sent.map(({ status }) => status)).toEqual([200, 206, 206, 206]);
  for await (const _ of (await latchkey.files.read({ from })) ?? []) expect.unreachable("There are no more.");
});

test("a version that changed meanwhile is never mixed with the next", async () => {
  server = await serveDocument(JSON.stringify(smallDocument("alice", "x".repeat(100_000))), "alice", false);
  server.cuts.push(50_000);
  const entries = await new Latchkey(server.url).files.read();
  const reading = (async () => {
    for await (const entry of entries ?? []) {
      if (entry.name === "a / b") server.put(JSON.stringify(smallDocument("alice", "other")));
      await entry.text();
    }
  })();
  await expect(reading).rejects.toMatchObject({ code: "document_changed" });
});

test.each([
  ["a list that ends early", '[".txt","a","b","c"]'],
  ["an object", '{"a":1}'],
  ["a word without an end", `[${"1".repeat(10_000)}`],
  ["an unknown escape", '[".txt","\\x","l","d",0,0,0,0,1,2,"",0,[],"id"]'],
  ["bytes that are not UTF-8", Buffer.from('[".txt","\xff","l","d",0,0,0,0,1,2,"",0,[],"id"]', "latin1")],
  ["half a document", JSON.stringify(smallDocument("alice")).slice(0, -30)],
])("what is no document is refused, and nothing waits for more: %s", async (_, text) => {
  server = await serveDocument(text, "alice", false);
  await expect(readBack()).rejects.toMatchObject({ code: "bad_document" });
});
