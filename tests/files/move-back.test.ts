import { beforeEach, expect, test } from "vitest";
import { createFolder } from "@/lib/files/create";
import { deleteEntries } from "@/lib/files/delete";
import { moveBack, moveEntries } from "@/lib/files/move";
import { readFile } from "@/lib/files/read";
import type { OnExisting } from "@/lib/files/schema";
import { searchFiles } from "@/lib/files/search";
import { sweepFiles } from "@/lib/files/sweep";
import { idOf, textOf } from "@/tests/support/documents";
import { makeUser, type TestUser } from "@/tests/support/user";
import { put } from "./stored";

let user: TestUser;
let box: string;
let ids: string[];
beforeEach(async () => {
  user = await makeUser();
  box = (await createFolder(user, "", { name: "Box" })).id;
  await put(user, "a.txt", { text: "moved a" });
  await put(user, "b.txt", { text: "moved b" });
  await put(user, "a.txt", { folder: box, text: "there" });
  ids = (await searchFiles(user.id, ".txt")).entries.filter(({ folders }) => folders.length === 0).map(({ id }) => id);
});

async function contents(): Promise<Record<string, string>> {
  const byPath: Record<string, string> = {};
  for (const { id, folders, name } of (await searchFiles(user.id, ".txt")).entries)
    byPath[[...folders, name].join("/")] = await textOf((await readFile(user.id, id)).bytes());
  return byPath;
}

async function expectRefused(undo: () => Promise<unknown>, code: string): Promise<void> {
  const before = await contents();
  await expect(undo()).rejects.toMatchObject({ code });
  expect(await contents()).toEqual(before);
}

const BEFORE = { "a.txt": "moved a", "b.txt": "moved b", "Box/a.txt": "there" };

test.each<[OnExisting, Record<string, string>]>([
  ["keep", { "Box/a.txt": "there", "Box/a (2).txt": "moved a", "Box/b.txt": "moved b" }],
  ["replace", { "Box/a.txt": "moved a", "Box/b.txt": "moved b" }],
])("a move that may %s what is there is undone with names and contents", async (onExisting, after) => {
  const moved = await moveEntries(user, ids, { to: box, onExisting });
  expect(await contents()).toEqual(after);
  await moveBack(user, { ...moved, ids, from: "" });
  expect(await contents()).toEqual(BEFORE);
});

test.each(["", "Box"])("only a file replaces a file: not with a folder in %j", async (folder) => {
  await createFolder(user, folder && box, { name: "same" });
  await put(user, "same", { folder: folder ? "" : box });
  const matches = async () => (await searchFiles(user.id, "same")).entries;
  const before = await matches();
  const { id = "" } = before.find(({ folders }) => folders.length === 0) ?? {};
  await expectRefused(() => moveEntries(user, [id], { to: box, onExisting: "replace" }), "name_taken");
  expect(await matches()).toEqual(before);
});

test("what took a name meanwhile stays", async () => {
  const moved = await moveEntries(user, ids, { to: box, onExisting: "keep" });
  await put(user, "a.txt", { text: "new" });
  await moveBack(user, { ...moved, ids, from: "" });
  expect(await contents()).toEqual({
    "a.txt": "new",
    "a (2).txt": "moved a",
    "b.txt": "moved b",
    "Box/a.txt": "there",
  });
});

test("undone by two tabs at once, it is undone once", async () => {
  const moved = await moveEntries(user, ids, { to: box, onExisting: "replace" });
  const undo = () => moveBack(user, { ...moved, ids, from: "" });
  await Promise.all([undo(), undo()]);
  expect(await contents()).toEqual(BEFORE);
  await undo();
  expect(await contents()).toEqual(BEFORE);
});

test("with the former folder or a moved file gone, nothing is moved", async () => {
  const drawer = (await createFolder(user, "", { name: "Drawer" })).id;
  await moveEntries(user, ids, { to: drawer, onExisting: "refuse" });
  const moved = await moveEntries(user, ids, { to: box, onExisting: "keep" });
  await deleteEntries(user, [drawer]);
  await expectRefused(() => moveBack(user, { ...moved, ids, from: drawer }), "entry_not_found");
  await deleteEntries(user, ids.slice(0, 1));
  await expectRefused(() => moveBack(user, { ...moved, ids, from: "" }), "entry_not_found");
});

test("what was replaced and is no longer kept is missing, with an error; the rest is moved back", async () => {
  const moved = await moveEntries(user, ids, { to: box, onExisting: "replace" });
  await sweepFiles(new Date(Date.now() + 7 * 3_600_000));
  await expect(moveBack(user, { ...moved, ids, from: "" })).rejects.toMatchObject({ code: "gone", status: 410 });
  expect(await contents()).toEqual({ "a.txt": "moved a", "b.txt": "moved b" });
});

test("somebody else's files, a name that nothing may have, and more than a change takes are refused", async () => {
  const moved = { ...(await moveEntries(user, ids, { to: box, onExisting: "keep" })), ids, from: "" };
  const many = Array.from({ length: 1_001 }, (_, n) => idOf(n));
  const other = await makeUser();
  await expectRefused(() => moveBack(other, moved), "entry_not_found");
  await expectRefused(
    () => moveBack(user, { ...moved, renamed: [{ id: ids[0] ?? "", name: "../a" }] }),
    "invalid_parameter",
  );
  await expectRefused(() => moveBack(user, { ...moved, ids: many }), "too_many_entries");
  await expect(moveBack(user, { ...moved, replaced: many })).rejects.toMatchObject({ code: "too_many_entries" });
});

test("the refusal of a move says how many names are taken", async () => {
  await put(user, "b.txt", { folder: box, text: "there, too" });
  await expect(moveEntries(user, ids, { to: box, onExisting: "refuse" })).rejects.toMatchObject({
    code: "name_taken",
    message: "There is already something named a.txt in Box. 1 more name is taken too.",
  });
});
