import { beforeEach, expect, test } from "vitest";
import { createFolder } from "@/lib/files/create-folder";
import { deleteEntries } from "@/lib/files/delete";
import { listDeletions, restoreDeletion } from "@/lib/files/deletions";
import { importDocument } from "@/lib/files/import";
import { moveEntries } from "@/lib/files/move";
import { putFile } from "@/lib/files/put-file";
import { renameEntry } from "@/lib/files/rename";
import { searchFiles } from "@/lib/files/search";
import { sweepFiles } from "@/lib/files/sweep";
import { chunks, file, idOf, root, values } from "@/tests/support/documents";
import { makeUser, type TestUser } from "@/tests/support/user";

const HOURS = 3_600_000;

let user: TestUser;
beforeEach(async () => {
  user = await makeUser();
});

const put = (folder: string, name: string, bytes = `text of ${name}`) =>
  putFile(user, folder, { name, bytes: Buffer.from(bytes), onExisting: "refuse" });
const paths = async () =>
  (await searchFiles(user.id, "")).entries.map(({ folders, name }) => [...folders, name].join("/")).toSorted();
const listed = async (now?: Date) =>
  (await listDeletions(user, now)).map(({ names, more, entries }) => [
    names.map(({ name }) => name).join(),
    more,
    entries,
  ]);

/** The id of what is found by its name. */
async function idNamed(name: string): Promise<string> {
  return (await searchFiles(user.id, name)).entries.find((entry) => entry.name === name)?.id ?? "";
}

test("lists what was deleted and when, the newest first, and restores it", async () => {
  const box = await createFolder(user, "", "Box");
  await put(box.id, "a.txt");
  await put(box.id, "b.txt");
  for (const name of ["c.txt", "d.txt", "e.txt", "f.txt"]) await put("", name);
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
  const box = await createFolder(user, "", "Box");
  await put("", "a.txt");
  await put("", "b.txt");
  await moveEntries(user, [await idNamed("a.txt")], box.id, "refuse");
  await renameEntry(user, box.id, "Chest");
  await putFile(user, "", { name: "b.txt", bytes: Buffer.from("new"), onExisting: "replace" });
  expect(await listed()).toEqual([]);
  await importDocument(user, chunks(JSON.stringify(values(root(user.username)))));
  expect(await listed()).toEqual([]);
});

test("lists a file that a move replaced, and restores it beside the other", async () => {
  const box = await createFolder(user, "", "Box");
  await put("", "a.txt", "moved");
  await put(box.id, "a.txt", "replaced");
  const moved = (await searchFiles(user.id, "a.txt")).entries.find(({ folders }) => folders.length === 0);
  await moveEntries(user, [moved?.id ?? ""], box.id, "replace");
  const [replaced] = await listDeletions(user);
  expect(replaced).toMatchObject({ entries: 1, names: [{ name: "a.txt" }] });
  await restoreDeletion(user, replaced?.version ?? 0);
  expect(await paths()).toEqual(["Box", "Box/a (2).txt", "Box/a.txt"]);
});

test("a large file is listed and restored from its first and last pieces", async () => {
  const large = `${'0123456789 ä"\\'.repeat(60_000)}`;
  await put("", "large.txt", large);
  await put("", "small.txt");
  await deleteEntries(user, [await idNamed("large.txt")]);
  expect(await listed()).toEqual([["large.txt", 0, 1]]);
  await restoreDeletion(user, (await listDeletions(user))[0]?.version ?? 0);
  expect((await searchFiles(user.id, "large")).entries[0]?.size).toBe(Buffer.byteLength(large));
  expect(await listed()).toEqual([]);
});

test("of a folder in many pieces, the first entries are named; all of it is restored", async () => {
  const home = `origin/(c) users/${user.username}`;
  const folder = { type: ".folder", name: "Box", location: home, data: [], id: idOf(2) };
  const inside = Array.from({ length: 30 }, (_, n) => ({
    ...file(user.username, n + 3, "x".repeat(200_000)),
    location: `${home}/Box`,
  }));
  await importDocument(user, chunks(JSON.stringify([root(user.username), folder, ...inside].flatMap(values))));
  const before = await paths();
  await deleteEntries(user, [idOf(2)]);
  expect(await listed()).toEqual([["Box", null, 31]]);
  await restoreDeletion(user, (await listDeletions(user))[0]?.version ?? 0);
  expect(await paths()).toEqual(before);
  expect(await listed()).toEqual([]);
});

test("lists nothing older than six hours", async () => {
  await put("", "a.txt");
  await deleteEntries(user, [await idNamed("a.txt")]);
  expect(await listed(new Date(Date.now() + 5.9 * HOURS))).toHaveLength(1);
  expect(await listed(new Date(Date.now() + 6 * HOURS))).toEqual([]);
});

test("what is no longer kept, was never deleted, or is somebody else's, cannot be restored", async () => {
  const other = await makeUser();
  for (const owner of [user, other])
    await putFile(owner, "", { name: "a.txt", bytes: Buffer.from("a"), onExisting: "refuse" });
  for (const version of [0, 1, 99, -1, 2_147_483_647])
    await expect(restoreDeletion(user, version)).rejects.toMatchObject({ code: "gone", status: 410 });
  const { version } = await deleteEntries(user, [await idNamed("a.txt")]);
  expect(await listDeletions(other)).toEqual([]);
  await putFile(other, "", { name: "b.txt", bytes: Buffer.from("b"), onExisting: "refuse" });
  await expect(restoreDeletion(other, version)).rejects.toMatchObject({ code: "gone", status: 410 });
  await sweepFiles(new Date(Date.now() + 7 * HOURS));
  await expect(restoreDeletion(user, version)).rejects.toMatchObject({ code: "gone", status: 410 });
  expect(await listed()).toEqual([]);
});

test("restored by two tabs at once, everything is there once", async () => {
  const box = await createFolder(user, "", "Box");
  await put(box.id, "a.txt");
  const before = await paths();
  const { version } = await deleteEntries(user, [box.id]);
  await Promise.all([restoreDeletion(user, version), restoreDeletion(user, version)]);
  expect(await paths()).toEqual(before);
  await restoreDeletion(user, version);
  expect(await paths()).toEqual(before);
});

test("restores beside what took the name, and to the root folder if its own is gone", async () => {
  const box = await createFolder(user, "", "Box");
  await put(box.id, "a.txt");
  const { version } = await deleteEntries(user, [await idNamed("a.txt")]);
  await put("", "a.txt", "new");
  await deleteEntries(user, [box.id]);
  await restoreDeletion(user, version);
  expect(await paths()).toEqual(["a (2).txt", "a.txt"]);
});

test("lists what an import left out of the same document, and restores it", async () => {
  const [first, a, b] = [root(user.username), file(user.username, 2, "a", "a"), file(user.username, 3, "b", "b")];
  await importDocument(user, chunks(JSON.stringify([first, a, b].flatMap(values))));
  await importDocument(user, chunks(JSON.stringify([first, a].flatMap(values))));
  expect(await listed()).toEqual([["b.txt", 0, 1]]);
  await restoreDeletion(user, (await listDeletions(user))[0]?.version ?? 0);
  expect(await paths()).toEqual(["a.txt", "b.txt"]);
});
