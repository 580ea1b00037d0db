import { afterEach, beforeEach, expect, test } from "vitest";
import { createFolder, putFile, putFiles } from "@/lib/files/create";
import { listFolder } from "@/lib/files/list";
import { openDocument } from "@/lib/files/read";
import { MAX_TOGETHER, PART_BYTES, SMALL_BYTES } from "@/lib/files/schema";
import { addPart, beginUpload, finishUpload } from "@/lib/files/upload";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { expectIndexed } from "@/tests/support/indexed";
import { makeUser, type TestUser } from "@/tests/support/user";
import { entriesIn, put } from "./stored";

const { FILE_BYTES_PER_USER } = env;
afterEach(() => void Object.assign(env, { FILE_BYTES_PER_USER }));

let user: TestUser;
beforeEach(async () => {
  user = await makeUser();
});

const small = (name: string, text = `text of ${name}`) => ({ id: newId(), name, bytes: Buffer.from(text) });
const several = (count: number) => Array.from({ length: count }, (_, n) => small(`file ${n}.txt`));

/** The texts of the user's files by name; checks that the folder's list and the index are right. */
async function textsOf(user: TestUser): Promise<Record<string, unknown>> {
  const [home = [], ...files] = await entriesIn(user);
  expect((home[3] as string[]).toSorted()).toEqual(files.map((values) => String(values[13])).toSorted());
  await expectIndexed(user.id);
  return Object.fromEntries(files.map(([type, name, , data]) => [`${name}${type}`, data]));
}

test("small files go into a folder in one change, each with its bytes", async () => {
  const folder = (await createFolder(user, undefined, { name: "many" })).id;
  const { version } = await openDocument(user.id);
  const files = several(MAX_TOGETHER);
  files[7] = { id: newId(), name: "binary.bin", bytes: Buffer.from([0, 255, 1]) };
  expect(await putFiles(user, folder, { files, onExisting: "refuse" })).toEqual(files.map(() => undefined));
  expect((await openDocument(user.id)).version).toBe(version + 1);
  const listed = await listFolder(user.id, { folderId: folder, sort: "name", descending: false, limit: 100 });
  expect(listed.entries.map(({ id }) => id).toSorted()).toEqual(files.map(({ id }) => id).toSorted());
  expect(listed.entries.find(({ name }) => name === "binary.bin")).toMatchObject({ isText: false });
});

test("a file keeps the date of its last change, if that is between 1970 and now", async () => {
  const now = new Date();
  const written = now.getTime() - 86_400_000;
  const files = { old: written, first: 1, tomorrow: now.getTime() + 1, never: 0, before: -1, half: 1.5, huge: 1e300 };
  const one = { bytes: Buffer.from("x"), onExisting: "refuse" } as const;
  for (const [name, modified] of Object.entries(files)) {
    await putFile(user, undefined, { ...one, name: `${name}.whole`, modified, now });
    await putFiles(user, undefined, { files: [{ ...small(`${name}.together`), modified }], onExisting: "refuse", now });
    if (!Number.isSafeInteger(modified)) continue;
    const announced = { name: `${name}.parts`, totalBytes: 1, isText: false, modified, onExisting: "refuse" } as const;
    const { uploadId } = await beginUpload(user, undefined, { ...announced, now });
    await addPart(user, uploadId, { offset: 0, bytes: one.bytes });
    expect(await finishUpload(user, uploadId, now)).toMatchObject({ name: `${name}.parts` });
  }
  const { entries } = await listFolder(user.id, { sort: "name", descending: false, limit: 100 });
  expect(entries).toHaveLength(19);
  const [, ...stored] = await entriesIn(user);
  for (const { id, name, edited } of entries) {
    const expected = { old: written, first: 1 }[name.split(".")[0] ?? ""] ?? now.getTime();
    expect(edited, name).toBe(expected);
    const values = stored.find((entry) => entry[13] === id);
    expect(values?.slice(8, 10), name).toEqual([now.getTime(), expected]);
  }
  await expectIndexed(user.id);
});

test("each is refused for itself, and the others are stored", async () => {
  await putFiles(user, undefined, { files: [small("a.txt", "old"), small("b.txt", "old")], onExisting: "refuse" });
  const files = ["a.txt", "x/y", "c.txt", "c.txt"].map((name) => small(name));
  const results = await putFiles(user, undefined, { files, onExisting: "refuse" });
  expect(results.map((refusal) => refusal?.code)).toEqual(["name_taken", "invalid_parameter", undefined, "name_taken"]);
  // What has the name; what the same request has just stored is not compared.
  expect(results[0]?.message).toBe("There is already something named a.txt in All files.");
  expect(results[0]?.details).toMatchObject({ name: "a.txt", existing: { isFolder: false, size: 3 } });
  expect(results[3]?.details).toEqual({ name: "c.txt", existing: undefined });
  expect(await textsOf(user)).toEqual({ "a.txt": "old", "b.txt": "old", "c.txt": "text of c.txt" });
});

test("those that exist are all replaced, or all kept beside, also when their new names meet", async () => {
  const old = [small("a.txt", "old"), small("b.txt", "old"), small("c.txt", "old")];
  await putFiles(user, undefined, { files: old, onExisting: "refuse" });
  await createFolder(user, undefined, { name: "folder" });
  const files = ["a.txt", "b.txt", "new.txt", "folder"].map((name) => small(name));
  const replacing = await putFiles(user, undefined, { files, onExisting: "replace" });
  expect(replacing.map((refusal) => refusal?.code)).toEqual([undefined, undefined, undefined, "name_taken"]);
  const keeping = ["a (2).txt", "a.txt", "c.txt", "c (2).txt"].map((name) => small(name));
  expect(await putFiles(user, undefined, { files: keeping, onExisting: "keep" })).toEqual(keeping.map(() => undefined));
  expect(await textsOf(user)).toEqual({
    "a.txt": "text of a.txt",
    "b.txt": "text of b.txt",
    "c.txt": "old",
    "new.txt": "text of new.txt",
    "folder.folder": [],
    "a (2).txt": "text of a (2).txt",
    "a (3).txt": "text of a.txt",
    "c (2).txt": "text of c.txt",
    "c (2) (2).txt": "text of c (2).txt",
  });
});

test.each(["refuse", "keep", "replace"] as const)(
  "a repeated request stores nothing twice (%s)",
  async (onExisting) => {
    const files = several(5);
    const put = (some: typeof files) => putFiles(user, undefined, { files: some, onExisting });
    const both = await Promise.all([put(files), put(files)]);
    const stored = await textsOf(user);
    // Without the one that was cancelled, and with one that had not arrived.
    const again = await put([...files.slice(1), small("late.txt")]);
    expect([...both.flat(), ...again]).toEqual(Array(15).fill(undefined));
    expect(Object.keys(stored)).toHaveLength(5);
    expect(await textsOf(user)).toEqual({ ...stored, "late.txt": "text of late.txt" });
  },
);

test("an id that another user's file has is as good as any", async () => {
  const other = await makeUser();
  const files = several(2);
  await putFiles(other, undefined, { files, onExisting: "refuse" });
  await putFiles(user, undefined, { files, onExisting: "refuse" });
  expect(Object.keys(await textsOf(user))).toHaveLength(2);
});

test("too many, too large ones, or two with one id are refused as a whole", async () => {
  const refused = { status: 400, code: "invalid_parameter" };
  await expect(
    putFiles(user, undefined, { files: several(MAX_TOGETHER + 1), onExisting: "keep" }),
  ).rejects.toMatchObject(refused);
  const [one] = several(1);
  if (one)
    await expect(
      putFiles(user, undefined, { files: [one, { ...one, name: "b" }], onExisting: "keep" }),
    ).rejects.toMatchObject(refused);
  const half = Buffer.alloc(PART_BYTES / 2 + 1);
  const large = several(2).map((file) => ({ ...file, bytes: half }));
  await expect(putFiles(user, undefined, { files: large, onExisting: "keep" })).rejects.toMatchObject({
    status: 413,
    code: "body_too_large",
  });
  await expect(putFiles(user, newId(), { files: several(1), onExisting: "keep" })).rejects.toMatchObject({
    status: 404,
  });
  await expect(openDocument(user.id)).rejects.toMatchObject({ code: "no_files" });
});

test("as many as are sent together fit into one request, however long their names", () => {
  const file = { id: newId(), name: "\u0001".repeat(255), size: SMALL_BYTES };
  const head = JSON.stringify({ folder: newId(), existing: "replace", files: Array(MAX_TOGETHER).fill(file) });
  expect(head.length + 1 + MAX_TOGETHER * SMALL_BYTES).toBeLessThanOrEqual(PART_BYTES);
});

test("if there is no room for all of them, none is stored", async () => {
  await put(user, "a.txt", { text: "x" });
  Object.assign(env, { FILE_BYTES_PER_USER: 100_000 });
  const files = several(3).map((file) => ({ ...file, bytes: Buffer.alloc(SMALL_BYTES, "x") }));
  await expect(putFiles(user, undefined, { files, onExisting: "keep" })).rejects.toMatchObject({
    status: 403,
    code: "files_limit",
  });
  expect(await textsOf(user)).toEqual({ "a.txt": "x" });
});
