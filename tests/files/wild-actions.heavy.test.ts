import { expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { beginUpload } from "@/lib/files/begin-upload";
import { createFolder, openFolder } from "@/lib/files/create-folder";
import { deleteEntries } from "@/lib/files/delete";
import { exportDocument } from "@/lib/files/export";
import { importDocument } from "@/lib/files/import";
import { listFolder } from "@/lib/files/list";
import { moveEntries } from "@/lib/files/move";
import { putFile } from "@/lib/files/put-file";
import { readFile } from "@/lib/files/read-file";
import { renameEntry } from "@/lib/files/rename";
import { restoreEntries } from "@/lib/files/restore";
import { addPart, finishUpload } from "@/lib/files/upload";
import { sized } from "@/tests/support/size";
import { chunks, textOf, wildEntry } from "../support/documents";
import { entriesOf, expectIndexed } from "../support/indexed";
import { makeUser, type TestUser } from "../support/user";
import { expectedImport, wildDocument } from "../support/wild-documents";

const ids = { root: "f".repeat(32), desk: "DESK", twin: "twin", sub: "a-sub", deep: "deep", note: "note", odd: "odd" };
const FOLDER = ".folder";

/** A document whose locations are in lower case, with a folder twice. */
function document(username: string): unknown[] {
  const home = `origin/(c) users/${username.toLowerCase()}`;
  return [
    ...wildEntry(FOLDER, username, "origin/(c) users", null, ids.root),
    ...wildEntry(FOLDER, "Desktop", home, "", ids.desk),
    ...wildEntry(FOLDER, "My Files", `${home}/desktop`, JSON.stringify([ids.deep]), ids.sub),
    ...wildEntry(FOLDER, "DESKTOP", home, ["other"], ids.twin),
    ...wildEntry(".txt", "Deep", `${home}/desktop/my files`, "deep text", ids.deep),
    ...wildEntry(".txt", "Note", `${home}/DESKTOP`, "a note", ids.note),
    ...wildEntry(".json", "Odd", `${home}/Desktop`, { list: [1, null, "ä"] }, ids.odd),
  ];
}

async function owner(): Promise<TestUser> {
  const user = await makeUser({ username: `Ann-${Math.random().toString(36).slice(2, 12)}` });
  // As some writers of JSON escape quotes in strings.
  const text = JSON.stringify(document(user.username)).replaceAll('\\"', "\\u0022");
  await importDocument(user, chunks(text));
  return user;
}

async function stored(user: TestUser): Promise<Map<string, unknown[]>> {
  return new Map(
    entriesOf(JSON.parse(await textOf(await exportDocument(user.id)))).map((values) => [String(values[13]), values]),
  );
}

const listed = async (user: TestUser, folderId?: string) =>
  (await listFolder(user.id, { folderId, sort: "name", descending: false, limit: 100 })).entries.map(
    ({ name }) => name,
  );
const under = (user: TestUser, path: string) => `origin/(c) users/${user.username}${path}`.toLowerCase();
const locationOf = async (user: TestUser, id: string) => String((await stored(user)).get(id)?.[2]).toLowerCase();

test("A folder shows its entries however its location is written; two that count as one show the same", async () => {
  const user = await owner();
  expect(await listed(user)).toEqual(["Desktop", "DESKTOP"]);
  for (const id of [ids.desk, ids.twin]) expect(await listed(user, id)).toEqual(["My Files", "Note.txt", "Odd.json"]);
  const { breadcrumbs } = await listFolder(user.id, { folderId: ids.sub, sort: "name", descending: false, limit: 1 });
  expect(breadcrumbs.map(({ name }) => name)).toEqual([user.username, "Desktop", "My Files"]);
  const odd = await readFile(user.id, ids.odd);
  expect([await textOf(odd.bytes), odd.length, odd.contentType]).toEqual([
    '{"list":[1,null,"ä"]}',
    22,
    expect.stringMatching(/json/),
  ]);
});

test(
  "What is put into a folder is in its list, whether that was null, an empty string, or a string with " + "a list",
  async () => {
    const user = await owner();
    const put = (folder: string | undefined, name: string) =>
      putFile(user, folder, { name, bytes: Buffer.from("x"), onExisting: "refuse" });
    const [inRoot, inDesk, inSub] = [
      await put(undefined, "r.txt"),
      await put(ids.desk, "d.txt"),
      await put(ids.sub, "s.txt"),
    ];
    const { uploadId } = await beginUpload(user, ids.twin, {
      name: "u.bin",
      totalBytes: 6,
      isText: false,
      onExisting: "refuse",
    });
    await addPart(user, uploadId, 0, Buffer.from("upload"));
    const uploaded = await finishUpload(user, uploadId);
    const now = await stored(user);
    expect(now.get(ids.root)?.[3]).toEqual([inRoot.id]);
    expect(now.get(ids.desk)?.[3]).toBe(JSON.stringify([inDesk.id, uploaded.id]));
    expect(now.get(ids.twin)?.[3]).toEqual(["other", inDesk.id, uploaded.id]);
    expect(JSON.parse(String(now.get(ids.sub)?.[3]))).toEqual([ids.deep, inSub.id]);
    await deleteEntries(user, [ids.deep, inRoot.id]);
    expect(JSON.parse(String((await stored(user)).get(ids.sub)?.[3]))).toEqual([inSub.id]);
    await expectIndexed(user.id);
  },
);

test("A folder's name is taken in any case of its letters; a file's is not", async () => {
  const user = await owner();
  await expect(createFolder(user, undefined, "desktop")).rejects.toMatchObject({ status: 409, code: "name_taken" });
  expect(await openFolder(user, undefined, "deskTOP")).toEqual({ id: ids.desk });
  await putFile(user, ids.desk, { name: "note.txt", bytes: Buffer.from("x"), onExisting: "refuse" });
  const { id } = await createFolder(user, undefined, "Other");
  await createFolder(user, id, "MY FILES");
  await expect(renameEntry(user, id, "DeskTop")).rejects.toMatchObject({ status: 409, code: "name_taken" });
  await expect(moveEntries(user, [ids.sub], id, "refuse")).rejects.toMatchObject({ status: 409, code: "name_taken" });
  await moveEntries(user, [ids.sub], id, "keep");
  expect(await listed(user, id)).toEqual(["MY FILES", "My Files (2)"]);
  expect(await locationOf(user, ids.deep)).toBe(under(user, "/other/my files (2)"));
  await expectIndexed(user.id);
});

test("Folders that are one are renamed, moved, deleted and brought back as one, with all that lies below", async () => {
  const user = await owner();
  const before = await stored(user);
  expect((await renameEntry(user, ids.desk, "dESKTOP")).name).toBe("dESKTOP");
  expect(await listed(user)).toEqual(["dESKTOP", "dESKTOP"]);
  await renameEntry(user, ids.twin, "Papers");
  expect(await listed(user)).toEqual(["Papers", "Papers"]);
  for (const id of [ids.note, ids.odd, ids.sub]) expect(await locationOf(user, id)).toBe(under(user, "/papers"));
  const { id } = await createFolder(user, undefined, "Box");
  await moveEntries(user, [ids.twin], id, "refuse");
  expect([await listed(user), await listed(user, id)]).toEqual([["Box"], ["Papers", "Papers"]]);
  expect(await locationOf(user, ids.deep)).toBe(under(user, "/box/papers/my files"));
  await moveEntries(user, [ids.twin, ids.desk], undefined, "refuse");
  const deleted = await deleteEntries(user, [ids.desk]);
  expect(await listed(user)).toEqual(["Box"]);
  await createFolder(user, undefined, "PAPERS");
  await restoreEntries(user, deleted);
  expect(await listed(user)).toEqual(["Box", "PAPERS", "Papers (2)", "Papers (2)"]);
  expect(await locationOf(user, ids.deep)).toBe(under(user, "/papers (2)/my files"));
  const after = await stored(user);
  for (const [entry, values] of before)
    expect(after.get(entry)?.toSpliced(0, 3).with(0, 0).with(6, 0).with(8, 0)).toEqual(
      entry === ids.root ? expect.anything() : values.toSpliced(0, 3).with(0, 0).with(6, 0).with(8, 0),
    );
  await expectIndexed(user.id);
});

test("A document of thousands of entries goes out, is worked on, and goes in again", async () => {
  const user = await makeUser({ username: `Eve-${Math.random().toString(36).slice(2, 12)}` });
  await importDocument(user, chunks(JSON.stringify(wildDocument(user.username, sized(1_000, 5_000), 11))), {
    leaving: "any",
  });
  const { entries } = await listFolder(user.id, { sort: "name", descending: false, limit: 1_000 });
  const folders = entries.filter(({ isFolder }) => isFolder);
  const [one] = folders;
  const other = folders.find(({ name }) => name.toLowerCase() !== one?.name.toLowerCase());
  const file = entries.find(({ isFolder }) => !isFolder);
  if (!one || !other || !file) throw new Error("the document has too little in its root folder");
  await renameEntry(user, one.id, "renamed");
  await moveEntries(user, [file.id, other.id], one.id, "keep");
  await restoreEntries(user, await deleteEntries(user, [one.id]));
  await expectIndexed(user.id);
  const text = await textOf(await exportDocument(user.id));
  const lowered: unknown[] = JSON.parse(text).map((value: unknown, at: number) =>
    at % 14 === 2 ? String(value).toLowerCase() : value,
  );
  const { taken, total } = await importDocument(user, chunks(JSON.stringify(lowered)));
  expect([taken, Object.keys(expectedImport(lowered, user.username).taken).length]).toEqual([total, total]);
});

test("An index whose keys were made from unfolded paths is rebuilt on first use", async () => {
  const user = await owner();
  await db.fileDocument.update({ where: { userId: user.id }, data: { indexSpace: user.id } });
  await db.fileEntry.updateMany({ where: { piece: { userId: user.id } }, data: { parentKey: "old", pathKey: "old" } });
  expect(await listed(user, ids.twin)).toEqual(["My Files", "Note.txt", "Odd.json"]);
  await expectIndexed(user.id);
});
