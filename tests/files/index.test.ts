import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { deleteAllFiles } from "@/lib/files/delete-all";
import { importDocument } from "@/lib/files/import";
import { type FolderListing, listFolder } from "@/lib/files/list";
import { readFile } from "@/lib/files/read-file";
import { chunks, file, idOf, root, smallDocument, values } from "../support/documents";
import { contentBytes, entriesOf, expectIndexed } from "../support/indexed";
import { statementsOf } from "../support/statements";
import { makeUser } from "../support/user";

const url = (bytes: Buffer, mediaType = "image/png") => `data:${mediaType};base64,${bytes.toString("base64")}`;

/** Data of every kind, around the size of a piece. */
const contents = [
  "",
  "plain",
  'ä"\\\u2028\0\ud83d\ude00\n',
  "\ud800 half \udc00",
  url(Buffer.alloc(0)),
  url(Buffer.from("a")),
  url(Buffer.from("ab")),
  url(randomBytes(3_000)),
  url(randomBytes(700_001), "application/x-thing;charset=utf-8"),
  "data:image/png;base64,AAA",
  "data:image/png;base64,A=AA",
  "data:image/png;base64,AA AA",
  "data:,plain",
  `data:${"x".repeat(300)};base64,AAAA`,
  "\u20ac\n".repeat(200_000),
  "😀".repeat(100_001),
];

test("rows of the index are written at most 500 at a time, and removed at most 2,000 at a time", async () => {
  const user = await makeUser();
  const home = `origin/(c) users/${user.username}`;
  const inFolders = Array.from({ length: 500 }, (_, n) =>
    values({ ...file(user.username, 1_000 + n, "x"), location: `${home}/${n}` }),
  );
  const folders = Array.from({ length: 500 }, (_, n) =>
    values({ type: ".folder", name: `${n}`, location: home, data: [], id: idOf(2_000 + n) }),
  );
  const text = JSON.stringify([...inFolders, ...folders, values(root(user.username))].flat());
  const written = await statementsOf(() => importDocument(user, chunks(text)));
  const inserts = written.filter((sent) => sent.includes('INSERT INTO "FileEntry"'));
  expect(inserts.length).toBeGreaterThanOrEqual(1_001 / 500);
  const removed = await statementsOf(() => deleteAllFiles(user.id));
  expect(removed.filter((sent) => /DELETE FROM "FileEntry".*LIMIT/s.test(sent)).length).toBeGreaterThan(0);
  expect(await db.fileEntry.count({ where: { piece: { userId: user.id } } })).toBe(0);
});

describe("The index of an imported document", () => {
  test("is the one that the document gives, whatever it holds", async () => {
    const user = await makeUser();
    const named = ["", "a\0b", "ä".repeat(400), "\ud800", "x.tar.gz"].map((name, n) =>
      values(file(user.username, 500 + n, "named", name)),
    );
    const times = [null, "", "1700000000000", -1, 1e300].map((time, n) =>
      values(file(user.username, 600 + n, "timed")).with(9, time),
    );
    const files = contents.map((data, n) => values(file(user.username, 2 + n, data)));
    await importDocument(
      user,
      chunks(
        JSON.stringify([...smallDocument(user.username), ...[...files.slice(3), ...named, ...times].flat()]),
        10_007,
      ),
    );
    await expectIndexed(user.id);
  });

  test("is made of one that was stored before there was an index", async () => {
    const user = await makeUser();
    await importDocument(
      user,
      chunks(
        JSON.stringify([
          ...values(root(user.username)),
          ...contents.flatMap((data, n) => values(file(user.username, n + 2, data))),
        ]),
      ),
    );
    await db.fileEntry.deleteMany({ where: { piece: { userId: user.id } } });
    await db.fileDocument.update({ where: { userId: user.id }, data: { indexSpace: null } });
    const lists = await Promise.all(
      [1, 2, 3].map(() => listFolder(user.id, { sort: "name", descending: false, limit: 100 })),
    );
    expect(lists.map(({ total }) => total)).toEqual([16, 16, 16]);
    await expectIndexed(user.id);
  });
});

test("What a file holds is read back: text as UTF-8, a data: URL as its bytes", async () => {
  const user = await makeUser();
  const document = [
    ...values(root(user.username)),
    ...contents.flatMap((data, n) => values(file(user.username, n + 2, data))),
  ];
  await importDocument(user, chunks(JSON.stringify(document)));
  for (const [, name, , data, , , , , , , , , , id] of entriesOf(document).slice(1)) {
    const content = await readFile(user.id, String(id));
    const parts: Uint8Array[] = [];
    for await (const part of content.bytes) parts.push(part);
    const { bytes } = contentBytes(data);
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
    expect([content.name, content.length]).toEqual([`${name}.txt`, bytes.length]);
  }
  expect((await readFile(user.id, idOf(9))).contentType).toBe("image/png");
  expect((await readFile(user.id, idOf(10))).contentType).toBe("application/x-thing");
  expect((await readFile(user.id, idOf(3))).contentType).toMatch(/^text\/plain/);
  for (const id of [idOf(1), idOf(99), "x", ""])
    await expect(readFile(user.id, id)).rejects.toMatchObject({ status: 404, code: "entry_not_found" });
});

describe("A list of a folder", () => {
  const ask = { sort: "name", descending: false, limit: 1_000 } as const;

  test("shows its entries, in any order, page by page, folders first", async () => {
    const user = await makeUser();
    const home = `origin/(c) users/${user.username}`;
    const names = ["b", "a10", "a9", "Ärger", "A9", "z"];
    const document = [
      ...values(root(user.username)),
      ...names.flatMap((name, n) =>
        values({ ...file(user.username, n + 2, "x".repeat(n), name), type: n % 2 ? ".md" : ".txt" }),
      ),
      ...values({ type: ".folder", name: "sub", location: home, data: [idOf(21)], id: idOf(20) }),
      ...values({ ...file(user.username, 21, "in sub", "deep"), location: `${home}/sub` }),
    ];
    await importDocument(user, chunks(JSON.stringify(document)));
    const namesOf = async (options: object) =>
      (await listFolder(user.id, { ...ask, ...options })).entries.map(({ name }) => name);

    expect(await namesOf({})).toEqual(["sub", "a9.txt", "A9.txt", "a10.md", "Ärger.md", "b.txt", "z.md"]);
    expect(await namesOf({ descending: true })).toEqual([
      "sub",
      "z.md",
      "b.txt",
      "Ärger.md",
      "a10.md",
      "A9.txt",
      "a9.txt",
    ]);
    expect(await namesOf({ sort: "size" })).toEqual(["sub", "b.txt", "a10.md", "a9.txt", "Ärger.md", "A9.txt", "z.md"]);
    expect((await namesOf({ sort: "type" })).slice(0, 2)).toEqual(["sub", "a10.md"]);
    expect(await namesOf({ filter: "ÄR" })).toEqual(["Ärger.md"]);
    expect(await namesOf({ filter: "9.t" })).toEqual(["a9.txt", "A9.txt"]);

    for (const descending of [false, true])
      for (const sort of ["name", "type", "size", "edited"] as const) {
        const parts: string[] = [];
        for (let at: string | null = ""; at !== null; ) {
          const list: FolderListing = await listFolder(user.id, { sort, descending, limit: 2, at });
          expect(list.first).toBe(parts.length + 1);
          parts.push(...list.entries.map(({ name }) => name));
          at = list.next;
        }
        expect(parts).toEqual(await namesOf({ sort, descending }));
        const back: string[] = [];
        for (let at: string | null = "last"; at !== null; ) {
          const list: FolderListing = await listFolder(user.id, { sort, descending, limit: 3, at });
          back.unshift(...list.entries.map(({ name }) => name));
          at = list.previous;
        }
        // The page before which there are too few is the first one, whole.
        expect(back.slice(-6)).toEqual(parts.slice(-6));
        expect(back.slice(0, 3)).toEqual(parts.slice(0, 3));
      }

    const sub = await listFolder(user.id, { ...ask, folderId: idOf(20) });
    expect(sub.breadcrumbs).toEqual([
      { id: idOf(1), name: user.username },
      { id: idOf(20), name: "sub" },
    ]);
    expect(sub.folder).toEqual({ id: idOf(20), name: "sub" });
    expect(sub.entries).toEqual([
      {
        id: idOf(21),
        name: "deep.txt",
        type: ".txt",
        isFolder: false,
        isText: true,
        size: 6,
        children: 0,
        edited: 1_700_000_000_001,
      },
    ]);
    expect((await listFolder(user.id, { ...ask, foldersOnly: true })).entries.map(({ name }) => name)).toEqual(["sub"]);
    expect(await listFolder(user.id, ask)).toMatchObject({
      total: 7,
      first: 1,
      previous: null,
      next: null,
      isPartial: false,
    });
    expect([sub.version, sub.used.entries]).toEqual([1, 9]);
  });

  test("of nothing is empty; of what is no folder, of another user's or of none it is refused", async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    expect(await listFolder(user.id, ask)).toMatchObject({
      folder: { id: "", name: user.username },
      entries: [],
      total: 0,
      used: { entries: 0, bytes: 0 },
      version: 0,
    });
    await expect(listFolder(user.id, { ...ask, folderId: idOf(1) })).rejects.toMatchObject({ status: 404 });
    await importDocument(other, chunks(JSON.stringify(smallDocument(other.username))));
    await importDocument(
      user,
      chunks(JSON.stringify([...values(root(user.username)), ...values(file(user.username, 9, ""))])),
    );
    await expect(listFolder(user.id, { ...ask, folderId: idOf(2) })).rejects.toMatchObject({
      status: 404,
      code: "entry_not_found",
    });
    await expect(listFolder(user.id, { ...ask, folderId: idOf(9) })).rejects.toMatchObject({
      status: 400,
      code: "not_a_folder",
    });
    await expect(listFolder(user.id, { ...ask, folderId: "\0' OR 1=1" })).rejects.toMatchObject({ status: 404 });
    for (const limit of [0, -1, 1.5, 1e9, Number.NaN])
      await expect(listFolder(user.id, { ...ask, limit })).rejects.toMatchObject({ status: 400 });
  });
});

test("A date beyond all that a page can show is listed as unknown", async () => {
  const user = await makeUser();
  const ids = [idOf(2), idOf(3)];
  const entries = [8.64e15, 9e15].map((time, n) => values(file(user.username, n + 2, "x")).with(9, time));
  await importDocument(user, chunks(JSON.stringify([...values(root(user.username, ids)), ...entries.flat()])));
  const listed = await listFolder(user.id, { sort: "name", descending: false, limit: 10 });
  expect(listed.entries.map(({ edited }) => edited)).toEqual([8.64e15, null]);
});
