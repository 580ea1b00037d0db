import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { createFolder } from "@/lib/files/create";
import { deleteAllFiles, deleteEntries } from "@/lib/files/delete";
import { importDocument } from "@/lib/files/import";
import { listFolder } from "@/lib/files/list";
import { moveEntries } from "@/lib/files/move";
import { readFile } from "@/lib/files/read";
import { MAX_MATCHES, searchFiles } from "@/lib/files/search";
import { db } from "@/lib/platform/db/client";
import { bytesOf, chunks, type Entry, file, idOf, root, smallDocument, values } from "@/tests/support/documents";
import { contentBytes, expectIndexed } from "@/tests/support/indexed";
import { statementsOf } from "@/tests/support/statements";
import { makeUser, type TestUser } from "@/tests/support/user";
import { fileEntry, folderEntry, importEntries } from "./stored";

const url = (bytes: Buffer, mediaType = "image/png") => `data:${mediaType};base64,${bytes.toString("base64")}`;

const LISTING = { sort: "name", descending: false, limit: 1_000 } as const;

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
  const { username } = user;
  const inFolders = Array.from({ length: 500 }, (_, n) => fileEntry(username, 1_000 + n, "file", "x", `/${n}`));
  const folders = Array.from({ length: 500 }, (_, n) => folderEntry(username, 2_000 + n, `${n}`));
  const written = await statementsOf(() => importEntries(user, [...inFolders, ...folders]));
  const inserts = written.filter((statement) => statement.includes('INSERT INTO "FileEntry"'));
  expect(inserts.length).toBeGreaterThanOrEqual(1_001 / 500);
  const removed = await statementsOf(() => deleteAllFiles(user.id));
  expect(removed.filter((statement) => /DELETE FROM "FileEntry".*LIMIT/s.test(statement)).length).toBeGreaterThan(0);
  expect(await db.fileEntry.count({ where: { piece: { userId: user.id } } })).toBe(0);
});

async function withContents(user: TestUser): Promise<Entry[]> {
  const files = contents.map((data, n) => file(user.username, n + 2, data));
  await importEntries(user, files);
  return files;
}

test("the index of an imported document is the one that the document gives, whatever it holds", async () => {
  const user = await makeUser();
  const named = ["", "a\0b", "ä".repeat(400), "\ud800", "x.tar.gz"].map((name, n) =>
    values(file(user.username, 500 + n, "named", name)),
  );
  const times = [null, "", "1700000000000", -1, 1e300].map((time, n) =>
    values(file(user.username, 600 + n, "timed")).with(9, time),
  );
  const files = contents.map((data, n) => values(file(user.username, 2 + n, data))).slice(3);
  const document = [...smallDocument(user.username), ...[...files, ...named, ...times].flat()];
  await importDocument(user, chunks(JSON.stringify(document), 10_007));
  await expectIndexed(user.id);
});

test("the index of an imported document is made of one that was stored before there was an index", async () => {
  const user = await makeUser();
  await withContents(user);
  await db.fileEntry.deleteMany({ where: { piece: { userId: user.id } } });
  await db.fileDocument.update({ where: { userId: user.id }, data: { indexSpace: null } });
  const lists = await Promise.all([1, 2, 3].map(() => listFolder(user.id, LISTING)));
  expect(lists.map(({ total }) => total)).toEqual([16, 16, 16]);
  await expectIndexed(user.id);
});

test("what a file holds is read back: text as UTF-8, a data: URL as its bytes", async () => {
  const user = await makeUser();
  for (const { id, name, data } of await withContents(user)) {
    const content = await readFile(user.id, id);
    const { bytes } = contentBytes(data);
    expect((await bytesOf(content.bytes())).equals(bytes)).toBe(true);
    expect([content.name, content.length]).toEqual([`${name}.txt`, bytes.length]);
  }
  const typeOf = async (n: number) => (await readFile(user.id, idOf(n))).contentType;
  expect([await typeOf(9), await typeOf(10)]).toEqual(["image/png", "application/x-thing"]);
  expect(await typeOf(3)).toMatch(/^text\/plain/);
  for (const id of [idOf(1), idOf(99), "x", ""])
    await expect(readFile(user.id, id)).rejects.toMatchObject({ status: 404, code: "entry_not_found" });
});

describe("a list of a folder", () => {
  // In pages: paging.test.ts.
  test("shows its entries, in any order, folders first", async () => {
    const user = await makeUser();
    const names = ["b", "a10", "a9", "Ärger", "A9", "z"];
    const files = names.map((name, n) => fileEntry(user.username, n + 2, name, "x".repeat(n)));
    await importEntries(user, [
      ...files.map((entry, n) => ({ ...entry, type: n % 2 ? ".md" : ".txt" })),
      { ...folderEntry(user.username, 20, "sub"), data: [idOf(21)] },
      fileEntry(user.username, 21, "deep", "in sub", "/sub"),
    ]);
    const namesOf = async (options: object) =>
      (await listFolder(user.id, { ...LISTING, ...options })).entries.map(({ name }) => name);

    const byName = ["a9.txt", "A9.txt", "a10.md", "Ärger.md", "b.txt", "z.md"];
    expect(await namesOf({})).toEqual(["sub", ...byName]);
    expect(await namesOf({ descending: true })).toEqual(["sub", ...byName.toReversed()]);
    expect(await namesOf({ sort: "size" })).toEqual(["sub", "b.txt", "a10.md", "a9.txt", "Ärger.md", "A9.txt", "z.md"]);
    expect((await namesOf({ sort: "type" })).slice(0, 2)).toEqual(["sub", "a10.md"]);
    expect(await namesOf({ filter: "ÄR" })).toEqual(["Ärger.md"]);
    expect(await namesOf({ filter: "9.t" })).toEqual(["a9.txt", "A9.txt"]);

    const folder = { id: idOf(20), name: "sub" };
    const sub = await listFolder(user.id, { ...LISTING, folderId: folder.id });
    expect(sub).toMatchObject({ folder, used: { entries: 9 } });
    expect(sub.breadcrumbs).toEqual([{ id: idOf(1), name: user.username }, folder]);
    const kind = { type: ".txt", isFolder: false, isText: true };
    const deep = { id: idOf(21), name: "deep.txt", ...kind, size: 6, children: 0, edited: 1_700_000_000_001 };
    expect(sub.entries).toEqual([deep]);
    expect(await namesOf({ foldersOnly: true })).toEqual(["sub"]);
    const complete = { total: 7, first: 1, previous: null, next: null, isPartial: false };
    expect(await listFolder(user.id, LISTING)).toMatchObject(complete);
  });

  test("of nothing is empty; of what is no folder, of another user's or of none it is refused", async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    expect(await listFolder(user.id, LISTING)).toMatchObject({
      folder: { id: "", name: user.username },
      entries: [],
      total: 0,
      used: { entries: 0, bytes: 0 },
    });
    const refused = (change: object, refusal: object) =>
      expect(listFolder(user.id, { ...LISTING, ...change })).rejects.toMatchObject(refusal);
    const notFound = { status: 404, code: "entry_not_found" };
    await refused({ folderId: idOf(1) }, notFound);
    await importDocument(other, chunks(JSON.stringify(smallDocument(other.username))));
    await importEntries(user, [file(user.username, 9, "")]);
    for (const folderId of [idOf(2), "\0' OR 1=1"]) await refused({ folderId }, notFound);
    await refused({ folderId: idOf(9) }, { status: 400, code: "not_a_folder" });
  });

  test("shows a date beyond all that a page can show as unknown", async () => {
    const user = await makeUser();
    const entries = [8.64e15, 9e15].map((time, n) => values(file(user.username, n + 2, "x")).with(9, time));
    await importDocument(user, chunks(JSON.stringify([...values(root(user.username)), ...entries.flat()])));
    expect((await listFolder(user.id, LISTING)).entries.map(({ edited }) => edited)).toEqual([8.64e15, null]);
  });
});

const MANY = 3_000;

let user: TestUser;
beforeAll(async () => {
  user = await makeUser();
  const { username } = user;
  await importEntries(user, [
    folderEntry(username, 2, "Letters"),
    folderEntry(username, 3, "Från Åsa", "/Letters"),
    fileEntry(username, 4, "Letter 10", "", "/letters/från åsa"),
    fileEntry(username, 5, "letter 9", "", "/Letters/Från Åsa"),
    ...Array.from({ length: MANY }, (_, n) => fileEntry(username, n + 6, `note ${n}`, "", "/Letters")),
  ]);
});

const pathsOf = async (text: string, of = user) =>
  (await searchFiles(of.id, text)).entries.map(({ name, folders }) => [...folders, name].join("/"));

test("finds names in all folders regardless of case, with the folders that they are in", async () => {
  expect(await pathsOf("LETTER")).toEqual([
    "Letters/Från Åsa/letter 9.txt",
    "Letters/Från Åsa/Letter 10.txt",
    "Letters",
  ]);
  expect(await pathsOf("a\u030asa")).toEqual(["Letters/Från Åsa"]);
  expect(await pathsOf(`note ${MANY - 1}.txt`)).toEqual([`Letters/note ${MANY - 1}.txt`]);
  // The user's own folder is not an entry that people see.
  expect(await pathsOf(user.username)).toEqual([]);
  const { entries, hasMore, searched } = await searchFiles(user.id, "note");
  expect([entries.length, hasMore, searched]).toEqual([MAX_MATCHES, true, null]);
});

test("finds nothing of others, of what was deleted, or of what it was before it was moved", async () => {
  const other = await makeUser();
  expect(await pathsOf("letter", other)).toEqual([]);
  const box = await createFolder(other, "", { name: "Box" });
  const letter = await createFolder(other, "", { name: "letter" });
  const deleted = await createFolder(other, "", { name: "letter gone" });
  await moveEntries(other, [letter.id], { to: box.id, onExisting: "refuse" });
  await deleteEntries(other, [deleted.id]);
  expect(await pathsOf("letter", other)).toEqual(["Box/letter"]);
});

test("of folders nested deeply, the nearest twenty are named", async () => {
  const deep = await makeUser();
  let parent = "";
  for (let depth = 1; depth <= 23; depth++) parent = (await createFolder(deep, parent, { name: `level ${depth}` })).id;
  const [entry] = (await searchFiles(deep.id, "level 23")).entries;
  expect(entry).toMatchObject({ isDeeper: true, folders: Array.from({ length: 20 }, (_, n) => `level ${n + 3}`) });
  expect((await searchFiles(deep.id, "level 2")).entries[0]).toMatchObject({ isDeeper: false, folders: ["level 1"] });
});

test("what was found is on the page of its folder that is opened for it, in any order", async () => {
  const folderId = idOf(2);
  for (const sort of ["name", "type", "size", "edited"] as const)
    for (const descending of [false, true]) {
      const options = { folderId, sort, descending, limit: 100 };
      for (const showing of [idOf(3), idOf(6), idOf(1_500), idOf(MANY + 5)]) {
        const page = await listFolder(user.id, { ...options, showing });
        expect(page.entries.map(({ id }) => id)).toContain(showing);
        if (page.previous === null) continue;
        const before = await listFolder(user.id, { ...options, at: page.previous });
        expect(before.entries.map(({ id }) => id)).not.toContain(showing);
      }
      const first = await listFolder(user.id, options);
      for (const showing of [idOf(2), idOf(999_999), idOf(4)])
        expect((await listFolder(user.id, { ...options, showing })).entries).toEqual(first.entries);
    }
});
