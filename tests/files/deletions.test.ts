import { beforeEach, describe, expect, test } from "vitest";
import { createFolder } from "@/lib/files/create";
import { deleteEntries } from "@/lib/files/delete";
import { filesSummary } from "@/lib/files/list";
import { moveBack, moveEntries, renameEntry } from "@/lib/files/move";
import { readFile } from "@/lib/files/read";
import { listDeletions, MAX_DELETIONS, restoreDeletion } from "@/lib/files/restore";
import type { OnExisting } from "@/lib/files/schema";
import { searchFiles } from "@/lib/files/search";
import { sweepFiles } from "@/lib/files/sweep";
import { idOf, textOf } from "@/tests/support/documents";
import { makeUser, type TestUser } from "@/tests/support/user";
import { fileEntry, folderEntry, importEntries, put } from "./stored";

const HOURS = 3_600_000;

let user: TestUser;
beforeEach(async () => {
  user = await makeUser();
});

const paths = async () =>
  (await searchFiles(user.id, "")).entries.map(({ folders, name }) => [...folders, name].join("/")).toSorted();
const listed = async (now?: Date) =>
  (await listDeletions(user, now)).map((one) => [one.names.map(({ name }) => name).join(), one.more, one.entries]);

const restoreNewest = async () => restoreDeletion(user, (await listDeletions(user))[0]?.version ?? 0);

async function idNamed(name: string): Promise<string> {
  return (await searchFiles(user.id, name)).entries.find((entry) => entry.name === name)?.id ?? "";
}

test("lists what was deleted and when, the newest first, and restores it", async () => {
  const box = await createFolder(user, "", { name: "Box" });
  await put(user, "a.txt", { folder: box.id });
  await put(user, "b.txt", { folder: box.id });
  for (const name of ["c.txt", "d.txt", "e.txt", "f.txt"]) await put(user, name);
  const before = await paths();
  expect(await listed()).toEqual([]);
  const at = new Date();
  await deleteEntries(user, [box.id], at);
  const inBox = await paths();
  await deleteEntries(user, await Promise.all(["c.txt", "d.txt", "e.txt", "f.txt"].map(idNamed)));
  expect(await listed()).toEqual([
    ["c.txt,d.txt,e.txt", 1, 4],
    ["Box", 0, 3],
  ]);
  const [files, folder] = await listDeletions(user);
  expect(folder?.at).toBe(at.getTime());
  await restoreDeletion(user, files?.version ?? 0);
  expect(await paths()).toEqual(inBox);
  expect(await listed()).toEqual([["Box", 0, 3]]);
  await restoreDeletion(user, folder?.version ?? 0);
  expect(await paths()).toEqual(before);
  expect(await listed()).toEqual([]);
});

test("does not list what was only changed, or replaced by an import", async () => {
  const box = await createFolder(user, "", { name: "Box" });
  await put(user, "a.txt");
  await put(user, "b.txt");
  await moveEntries(user, [await idNamed("a.txt")], { to: box.id, onExisting: "refuse" });
  await renameEntry(user, box.id, { name: "Chest" });
  await put(user, "b.txt", { text: "new", onExisting: "replace" });
  expect(await listed()).toEqual([]);
  await importEntries(user, []);
  expect(await listed()).toEqual([]);
});

test("lists a file that a move replaced, and restores it beside the other", async () => {
  const box = await createFolder(user, "", { name: "Box" });
  await put(user, "a.txt", { text: "moved" });
  await put(user, "a.txt", { folder: box.id, text: "replaced" });
  const moved = (await searchFiles(user.id, "a.txt")).entries.find(({ folders }) => folders.length === 0);
  await moveEntries(user, [moved?.id ?? ""], { to: box.id, onExisting: "replace" });
  expect(await listed()).toEqual([["a.txt", 0, 1]]);
  await restoreNewest();
  expect(await paths()).toEqual(["Box", "Box/a (2).txt", "Box/a.txt"]);
});

test("a large file is listed and restored from its first and last pieces", async () => {
  const large = `${'0123456789 ä"\\'.repeat(60_000)}`;
  await put(user, "large.txt", { text: large });
  await put(user, "small.txt");
  await deleteEntries(user, [await idNamed("large.txt")]);
  expect(await listed()).toEqual([["large.txt", 0, 1]]);
  await restoreNewest();
  expect((await searchFiles(user.id, "large")).entries[0]?.size).toBe(Buffer.byteLength(large));
  expect(await listed()).toEqual([]);
});

test.each([
  // In many pieces, of which only the first are looked at; or in few, with a thousand entries.
  { files: 30, text: "x".repeat(200_000), more: null },
  { files: 1_000, text: "", more: 0 },
])("a folder of $files files is listed as one, and restored whole", async ({ files, text, more }) => {
  const inside = Array.from({ length: files }, (_, n) => fileEntry(user.username, n + 3, `${n}`, text, "/Box"));
  await importEntries(user, [folderEntry(user.username, 2, "Box"), ...inside]);
  const before = await paths();
  await deleteEntries(user, [idOf(2)]);
  expect(await listed()).toEqual([["Box", more, files + 1]]);
  await restoreNewest();
  expect([(await filesSummary(user.id)).entries, await paths()]).toEqual([files + 2, before]);
  expect(await listed()).toEqual([]);
});

test("lists nothing older than six hours", async () => {
  await put(user, "a.txt");
  await deleteEntries(user, [await idNamed("a.txt")]);
  expect(await listed(new Date(Date.now() + 5.9 * HOURS))).toHaveLength(1);
  expect(await listed(new Date(Date.now() + 6 * HOURS))).toEqual([]);
});

test("what is no longer kept, was never deleted, or is somebody else's, cannot be restored", async () => {
  const other = await makeUser();
  const expired = { code: "gone", status: 410 };
  for (const owner of [user, other]) await put(owner, "a.txt");
  for (const version of [0, 1, 99, -1, 2_147_483_647])
    await expect(restoreDeletion(user, version)).rejects.toMatchObject(expired);
  const { version } = await deleteEntries(user, [await idNamed("a.txt")]);
  expect(await listDeletions(other)).toEqual([]);
  await put(other, "b.txt");
  await expect(restoreDeletion(other, version)).rejects.toMatchObject(expired);
  await sweepFiles(new Date(Date.now() + 7 * HOURS));
  await expect(restoreDeletion(user, version)).rejects.toMatchObject(expired);
  expect(await listed()).toEqual([]);
});

test("restored by two tabs at once, everything is there once", async () => {
  const box = await createFolder(user, "", { name: "Box" });
  await put(user, "a.txt", { folder: box.id });
  const before = await paths();
  const { version } = await deleteEntries(user, [box.id]);
  await Promise.all([restoreDeletion(user, version), restoreDeletion(user, version)]);
  expect(await paths()).toEqual(before);
  await restoreDeletion(user, version);
  expect(await paths()).toEqual(before);
});

test("lists what an import left out of the same document, and restores it", async () => {
  const [a, b] = [fileEntry(user.username, 2, "a"), fileEntry(user.username, 3, "b")];
  await importEntries(user, [a, b]);
  await importEntries(user, [a]);
  expect(await listed()).toEqual([["b.txt", 0, 1]]);
  await restoreNewest();
  expect(await paths()).toEqual(["a.txt", "b.txt"]);
});

test("lists at most fifty, the newest ones", async () => {
  const ids = Array.from({ length: MAX_DELETIONS + 2 }, (_, n) => idOf(n + 2));
  const files = ids.map((_, n) => fileEntry(user.username, n + 2, `file ${n + 2}`));
  await importEntries(user, files);
  for (const id of ids) await deleteEntries(user, [id]);
  const deletions = await listDeletions(user);
  expect(deletions).toHaveLength(MAX_DELETIONS);
  expect(deletions[0]?.names[0]?.name).toBe(`file ${MAX_DELETIONS + 3}.txt`);
});

describe("a move", () => {
  let box: string;
  let ids: string[];
  beforeEach(async () => {
    box = (await createFolder(user, "", { name: "Box" })).id;
    await put(user, "a.txt", { text: "moved a" });
    await put(user, "b.txt", { text: "moved b" });
    await put(user, "a.txt", { folder: box, text: "there" });
    const { entries } = await searchFiles(user.id, ".txt");
    ids = entries.filter(({ folders }) => folders.length === 0).map(({ id }) => id);
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
});
