import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { exportDocument } from "@/lib/files/export";
import { importDocument } from "@/lib/files/import";
import { filesSummary } from "@/lib/files/summary";
import { sized } from "@/tests/support/size";
import { chunks, type Entry, file, idOf, root, smallDocument, textOf, values } from "../support/documents";
import { makeUser, makeUsers, type TestUser } from "../support/user";

/** A document of a few MB in chunks of one byte takes seconds. */
const MOST_CHUNKS = 20_000;

const unused = fc.constantFrom(null, "", 0, { any: [true, -1.5e-7] });
const text = fc.string({ unit: "binary", maxLength: 40 });
const data = fc.oneof(
  text,
  text.map((part) => `${part}x`.repeat(4_000)),
);

/** Entries, each in one of the folders before it. */
const entries = fc
  .array(
    fc.record({
      folder: fc.nat(),
      isFolder: fc.boolean(),
      name: text,
      data,
      unused,
      permissions: fc.array(text, { maxLength: 2 }),
      asText: fc.boolean(),
    }),
    {
      maxLength: 30,
    },
  )
  .map((drawn) => (username: string): Entry[] => {
    const made: Entry[] = [root(username)];
    const paths = [`origin/(c) users/${username}`];
    const lists = new Map<string, string[]>([[paths[0] ?? "", []]]);
    for (const [index, { folder, isFolder, name, data, unused, permissions }] of drawn.entries()) {
      const location = paths[folder % paths.length] ?? "";
      const id = idOf(index + 2);
      lists.get(location)?.push(id);
      const folderName = `${name.replaceAll("/", "")}.`;
      made.push({
        type: isFolder ? ".folder" : ".txt",
        name: isFolder ? folderName : name,
        location,
        data: isFolder ? [] : data,
        id,
        unused,
        permissions,
      });
      if (isFolder) paths.push(`${location}/${folderName}`);
      if (isFolder) lists.set(`${location}/${folderName}`, []);
    }
    return made.map((entry, index) => {
      if (entry.type !== ".folder") return entry;
      const list = lists.get(`${entry.location}/${entry.name}`) ?? [];
      return { ...entry, data: drawn[index]?.asText ? JSON.stringify(list) : list };
    });
  });

describe("What was imported is read back value for value", () => {
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
            chunks(written, Math.max(size, Math.ceil(written.length / MOST_CHUNKS))),
          );
          const stored = await textOf(await exportDocument(user.id));
          expect(JSON.parse(stored)).toEqual(document);
          const stands = { entries: document.length / 14, bytes: Buffer.byteLength(stored) };
          expect(summary).toEqual({
            ...stands,
            total: stands.entries,
            taken: stands.entries,
            reasons: [],
            refused: [],
            notes: expect.any(Array),
          });
          expect(await filesSummary(user.id)).toEqual(stands);
        },
      ),
      { numRuns: sized(15, 40) },
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
    expect(await textOf(await exportDocument(user.id))).toBe(written);
  });

  test("blanks between values are not kept", async () => {
    const user = await makeUser();
    const document = smallDocument(user.username);
    const blank = " \n\t\r".repeat(30_000);
    await importDocument(user, chunks(`${blank}${JSON.stringify(document)}${blank}`));
    expect(await textOf(await exportDocument(user.id))).toBe(JSON.stringify(document));
  });

  test("entries of every size around that of a piece", async () => {
    const user = await makeUser();
    const sizes = [0, 100, 196_000, 196_600, 262_000, 262_143, 262_144, 262_145, 524_288, 700_000, 1, 2, 300_000, 3];
    const document = [
      ...values(root(user.username)),
      ...sizes.flatMap((size, index) => values(file(user.username, index + 2, `${index}`.padEnd(size, "ä\\")))),
    ];
    await importDocument(user, chunks(JSON.stringify(document), 50_001));
    expect(JSON.parse(await textOf(await exportDocument(user.id)))).toEqual(document);
  });

  test("a folder that lists more than it holds, or less, keeps its list", async () => {
    const user = await makeUser();
    const document = [...values(root(user.username, [idOf(9), idOf(9)])), ...values(file(user.username, 2, "x"))];
    await importDocument(user, chunks(JSON.stringify(document)));
    expect(JSON.parse(await textOf(await exportDocument(user.id)))).toEqual(document);
  });
});

describe("A document of another user", () => {
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
    expect(JSON.parse(await textOf(await exportDocument(user.id)))).toEqual(expected);
    expect(expected.at(-14 + 2)).toBe(`${home}/${name}`);
  });
});

/** What waits for `opened` goes on when `open` is called. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe("Concurrent imports", () => {
  test("of one user, the first continues and the others are refused", async () => {
    const user = await makeUser();
    const document = JSON.stringify(smallDocument(user.username, "kept"));
    const { open, opened } = gate();
    const { open: begin, opened: began } = gate();
    async function* slow() {
      yield Buffer.from("[");
      begin();
      await opened;
      yield Buffer.from(document.slice(1));
    }
    const first = importDocument(user, slow());
    await began;
    const others = Array.from({ length: 5 }, (_, index) =>
      importDocument(user, chunks(JSON.stringify(smallDocument(user.username, `${index}`)))),
    );
    for (const other of await Promise.allSettled(others))
      expect(other).toMatchObject({ status: "rejected", reason: { status: 409, code: "import_running" } });
    open();
    await first;
    expect(await textOf(await exportDocument(user.id))).toBe(document);
  });

  test(
    "of many users, eight go on, the others are told to come back, read to their end, and leave nothing; " +
      "then there is room again",
    async () => {
      const users = await makeUsers(20);
      const { open, opened } = gate();
      const ended: string[] = [];
      async function* slow(user: TestUser) {
        try {
          yield Buffer.from("[");
          await opened;
          yield Buffer.from(JSON.stringify(smallDocument(user.username)).slice(1));
        } finally {
          ended.push(user.id);
        }
      }
      const refused: unknown[] = [];
      const imports = users.map((user) =>
        importDocument(user, slow(user)).catch((reason) => void refused.push(reason)),
      );
      await expect.poll(() => refused.length).toBe(12);
      for (const reason of refused) {
        expect(reason).toMatchObject({
          status: 503,
          code: "too_many_imports",
          headers: { "Retry-After": expect.stringMatching(/^\d+$/) },
        });
      }
      expect(ended.length).toBe(12);
      open();
      expect((await Promise.all(imports)).filter((summary) => summary !== undefined).length).toBe(8);
      expect(await db.fileDraft.count({ where: { userId: { in: users.map(({ id }) => id) } } })).toBe(0);
      for (const user of users) await importDocument(user, slow(user));
    },
  );
});
