import { describe, expect, test } from "vitest";
import { createFolder, openFolder, putFile } from "@/lib/files/create";
import { deleteEntries } from "@/lib/files/delete";
import { listFolder } from "@/lib/files/list";
import { moveEntries, renameEntry } from "@/lib/files/move";
import { exportDocument, readFile } from "@/lib/files/read";
import { restoreEntries } from "@/lib/files/restore";
import { beginUpload } from "@/lib/files/upload";
import { textOf } from "@/tests/support/documents";
import { makeUser } from "@/tests/support/user";
import { documentOf } from "./stored";

const file = { name: "a.txt", bytes: Buffer.from("hello"), onExisting: "refuse" } as const;
const upload = { name: "u.bin", totalBytes: 10, isText: false, onExisting: "refuse" } as const;

describe("names", () => {
  const refusal = { status: 400, code: "invalid_parameter" };
  const tooLong = ["x".repeat(256), "x".repeat(10_000)];
  const bad = ["", ".", "..", "a/b", "/", "a\0", "a\nb", "\u0085", "\ud800", "a\udc00b", ...tooLong];
  test.for(bad.map((name) => [JSON.stringify(name).slice(0, 40), name] as const))(
    "%s is refused everywhere, and nothing is made",
    async ([, name]) => {
      const user = await makeUser();
      await expect(createFolder(user, undefined, { name })).rejects.toMatchObject(refusal);
      await expect(openFolder(user, undefined, { name })).rejects.toMatchObject(refusal);
      await expect(putFile(user, undefined, { ...file, name })).rejects.toMatchObject(refusal);
      await expect(beginUpload(user, undefined, { ...upload, name })).rejects.toMatchObject(refusal);
      await expect(exportDocument(user.id)).rejects.toMatchObject({ status: 404, code: "no_files" });
      const { id } = await putFile(user, undefined, file);
      await expect(renameEntry(user, id, { name })).rejects.toMatchObject(refusal);
    },
  );

  const longest = ["x".repeat(255), "😀".repeat(127)];
  const odd = ["con", "a\\b", '"', "..a", "a.", ".profile", "x.folder", "__proto__", "a b .txt", "% _'"];
  test.each([...longest, ...odd])("%j is kept as it is", async (name) => {
    const user = await makeUser();
    const { id } = await putFile(user, undefined, { ...file, name });
    const folder = await createFolder(user, undefined, { name: `${name.slice(0, 250)}~` });
    const inside = await putFile(user, folder.id, { ...file, name });
    const listed = await listFolder(user.id, { sort: "name", descending: false, limit: 10 });
    expect(listed.entries.map((entry) => [entry.name, entry.isFolder])).toEqual([
      [folder.name, true],
      [name, false],
    ]);
    expect((await readFile(user.id, id)).name).toBe(name);
    expect((await putFile(user, folder.id, { ...file, name, onExisting: "keep" })).name).toMatch(/ \(2\)/);
    await deleteEntries(user, [inside.id]);
    const nameTaken = { status: 409, code: "name_taken" };
    await expect(putFile(user, undefined, { ...file, name })).rejects.toMatchObject(nameTaken);
  });
});

test("text that looks like a data: URL, and everything else, comes back as the bytes that were put", async () => {
  const user = await makeUser();
  const contents = ["data:image/png;base64,AAAA", "data:", "\ufeffbom", "", "\0", "a\rb", "\u2028"];
  for (const [n, content] of contents.entries()) {
    const { id } = await putFile(user, undefined, { ...file, name: `${n}.txt`, bytes: Buffer.from(content) });
    expect(await textOf((await readFile(user.id, id)).bytes())).toBe(content);
  }
});

test("ids of nothing, of others and of nonsense are refused, and the root folder stays where it is", async () => {
  const [user, other] = [await makeUser(), await makeUser()];
  const { id } = await putFile(user, undefined, file);
  const foreign = await putFile(other, undefined, file);
  const { folder } = await listFolder(user.id, { sort: "name", descending: false, limit: 1 });
  const before = await documentOf(user);
  for (const wrong of [foreign.id, "0".repeat(32), "", "x", "'; DROP TABLE", "\0"]) {
    await expect(renameEntry(user, wrong, { name: "b" })).rejects.toMatchObject({ status: 404 });
    await expect(deleteEntries(user, [id, wrong])).rejects.toMatchObject({ status: 404 });
    await expect(moveEntries(user, [wrong], { to: undefined, onExisting: "keep" })).rejects.toMatchObject({
      status: 404,
    });
    if (wrong) await expect(putFile(user, wrong, { ...file, name: "c" })).rejects.toMatchObject({ status: 404 });
  }
  await expect(putFile(user, id, file)).rejects.toMatchObject({ status: 400, code: "not_a_folder" });
  for (const ids of [[folder.id], [id, folder.id]])
    await expect(deleteEntries(user, ids)).rejects.toMatchObject({ status: 400, code: "root_folder" });
  for (const version of [-1, 0, 1.5, 99, Number.NaN])
    await expect(restoreEntries(user, { version, ids: [id] })).rejects.toMatchObject({
      status: version === 1.5 || Number.isNaN(version) ? 400 : 410,
    });
  for (const nonsense of ["", "non sense", '"', "\0", "x".repeat(65)])
    await expect(restoreEntries(user, { version: 1, ids: [nonsense] })).rejects.toMatchObject({ status: 400 });
  // Documents come with ids of many kinds: this could be one, but is not in what was deleted.
  await expect(restoreEntries(user, { version: 1, ids: ["nonsense"] })).rejects.toMatchObject({
    status: 410,
    code: "gone",
  });
  expect(await documentOf(user)).toBe(before);
});
