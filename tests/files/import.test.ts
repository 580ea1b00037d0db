import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { filesSummary } from "@/lib/files/list";
import { chunks, type Entry, file, idOf, root, smallDocument, values } from "@/tests/support/documents";
import { sized } from "@/tests/support/size";
import { makeUser } from "@/tests/support/user";
import { documentOf, homeOf } from "./stored";

/** A document of a few MB in chunks of one byte takes seconds. */
const MAX_CHUNKS = 20_000;

const text = fc.string({ unit: "binary", maxLength: 40 });
const drawn = fc.record({
  folder: fc.nat(),
  isFolder: fc.boolean(),
  name: text,
  data: fc.oneof(
    text,
    text.map((part) => `${part}x`.repeat(4_000)),
  ),
  // A folder keeps its list, whatever it holds.
  list: fc.array(fc.nat(40).map(idOf), { maxLength: 5 }),
  asText: fc.boolean(),
  unused: fc.constantFrom(null, "", 0, { any: [true, -1.5e-7] }),
  permissions: fc.array(text, { maxLength: 2 }),
});

const entries = fc.array(drawn, { maxLength: 30 }).map((all) => (username: string): Entry[] => {
  const created: Entry[] = [
    root(
      username,
      all.map((_, n) => idOf(n + 2)),
    ),
  ];
  const paths = [homeOf(username)];
  for (const [n, { folder, isFolder, name, data, list, asText, unused, permissions }] of all.entries()) {
    const common = { location: paths[folder % paths.length] ?? "", id: idOf(n + 2), unused, permissions };
    const folderName = `${name.replaceAll("/", "")}.`;
    if (isFolder) paths.push(`${common.location}/${folderName}`);
    if (isFolder)
      created.push({ ...common, type: ".folder", name: folderName, data: asText ? JSON.stringify(list) : list });
    else created.push({ ...common, type: ".txt", name, data });
  }
  return created;
});

describe("what was imported is read back value for value", () => {
  test("any document, however it is written and in whatever chunks it comes", async () => {
    const user = await makeUser();
    await fc.assert(
      fc.asyncProperty(
        entries,
        fc.constantFrom(undefined, 1, "\t\r"),
        fc.integer({ min: 1, max: 5_000 }),
        async (make, space, size) => {
          const document = make(user.username).flatMap(values);
          const written = JSON.stringify(document, null, space);
          const summary = await importDocument(
            user,
            chunks(written, Math.max(size, Math.ceil(written.length / MAX_CHUNKS))),
          );
          const stored = await documentOf(user);
          expect(JSON.parse(stored)).toEqual(document);
          const stands = { entries: document.length / 14, bytes: Buffer.byteLength(stored) };
          const report = { total: stands.entries, taken: stands.entries, reasons: [], refused: [] };
          expect(summary).toEqual({ ...stands, ...report, notes: expect.any(Array) });
          expect(await filesSummary(user.id)).toEqual(stands);
        },
      ),
      { numRuns: sized(8, 60) },
    );
  });

  test("the text of every number and string stays as it was written", async () => {
    const user = await makeUser();
    const home = `origin/(c) users/${user.username}`;
    const written =
      `[".folder","${user.username}","origin/(c) ` +
      `users",[],1.0,1e3,-0.00,"",12345678901234567890,1E+2,"\\u0041\\/",1e400,[],"${idOf(1)}",` +
      `".txt","\\ud800","${home}","\\u0000\\ud83d\\ude00😀",` +
      `{"a":[1.50,{"a":2}]},0,0,null,0,0,0,0,null,"${idOf(2)}"]`;
    await importDocument(user, chunks(written, 1));
    expect(await documentOf(user)).toBe(written);
  });

  test.each([
    ["UTF-8", (text: string) => Buffer.from(text)],
    ["UTF-16 LE", (text: string) => Buffer.from(text, "utf16le")],
    ["UTF-16 BE", (text: string) => Buffer.from(text, "utf16le").swap16()],
  ] as const)("a document in %s, with a byte order mark or without, in whatever chunks it comes", async (_, encode) => {
    const user = await makeUser();
    const text = JSON.stringify(smallDocument(user.username, "\ufeffäß日本 😀".repeat(20)));
    for (const size of [1, 2, 3, 7, 50_000])
      for (const written of [encode(text), encode(`\ufeff${text}`), encode(`\ufeff \n${text}`)]) {
        await importDocument(user, chunks(written, size));
        expect(await documentOf(user)).toBe(text);
      }
  });

  test("entries of every size around that of a piece", async () => {
    const user = await makeUser();
    const sizes = [0, 100, 196_000, 196_600, 262_000, 262_143, 262_144, 262_145, 524_288, 700_000, 1, 2, 300_000, 3];
    const document = [
      ...values(root(user.username)),
      ...sizes.flatMap((size, index) => values(file(user.username, index + 2, `${index}`.padEnd(size, "ä\\")))),
    ];
    await importDocument(user, chunks(JSON.stringify(document), 50_001));
    expect(JSON.parse(await documentOf(user))).toEqual(document);
  });
});

describe("a document of another user", () => {
  test("gets this user's name in the root's name and in the locations, and nowhere else", async () => {
    const user = await makeUser();
    const name = 'Ann "the\\ cat"';
    const document = [
      ...smallDocument(name, `origin/(c) users/${name}/docs`),
      ...values({ ...file(name, 7, name, name), permissions: [name] }),
      ...values({ type: ".folder", name, location: `origin/(c) users/${name}`, data: [idOf(9)], id: idOf(8) }),
      ...values({ ...file(name, 9, ""), location: `origin/(c) users/${name}/${name}` }),
    ];
    const home = `origin/(c) users/${user.username}`;
    const expected = document.with(1, user.username);
    for (let at = 2 + 14; at < document.length; at += 14)
      expected[at] = String(document[at]).replace(`origin/(c) users/${name}`, home);

    await importDocument(user, chunks(JSON.stringify(document), 11));
    expect(JSON.parse(await documentOf(user))).toEqual(expected);
    expect(expected.at(-14 + 2)).toBe(`${home}/${name}`);
  });
});
