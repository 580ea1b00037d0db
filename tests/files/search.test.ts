import { beforeAll, expect, test } from "vitest";
import { createFolder } from "@/lib/files/create";
import { deleteEntries } from "@/lib/files/delete";
import { listFolder } from "@/lib/files/list";
import { moveEntries } from "@/lib/files/move";
import { MAX_MATCHES, searchFiles } from "@/lib/files/search";
import { idOf } from "@/tests/support/documents";
import { makeUser, type TestUser } from "@/tests/support/user";
import { fileEntry, folderEntry, importEntries } from "./stored";

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
