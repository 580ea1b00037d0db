import { afterEach, describe, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { env } from "@/lib/env";
import { createFolder, openFolder } from "@/lib/files/create-folder";
import { deleteEntries } from "@/lib/files/delete";
import { exportDocument } from "@/lib/files/export";
import { listFolder } from "@/lib/files/list";
import { moveEntries } from "@/lib/files/move";
import { MOST_PART_BYTES, putFile } from "@/lib/files/put-file";
import { readEntry } from "@/lib/files/read-entry";
import { renameEntry } from "@/lib/files/rename";
import { restoreEntries } from "@/lib/files/restore";
import { filesSummary } from "@/lib/files/summary";
import { sweepFiles } from "@/lib/files/sweep";
import { addPart, beginUpload, cancelUpload, finishUpload, uploadState } from "@/lib/files/upload";
import { textOf } from "../support/documents";
import { makeUser } from "../support/user";

const bytes = Buffer.from("hello");
const file = { name: "a.txt", bytes, onExisting: "refuse" } as const;
const upload = { name: "u.bin", totalBytes: 10, isText: false, onExisting: "refuse" } as const;

describe("Names", () => {
  const bad = ["", ".", "..", "a/b", "/", "a\0", "a\nb", "\u0085", "\ud800", "a\udc00b", "x".repeat(256), "x".repeat(10_000)];
  test.for(bad.map((name) => [JSON.stringify(name).slice(0, 40), name] as const))("%s is refused everywhere, and nothing is made", async ([, name]) => {
    const user = await makeUser();
    const refusal = { status: 400, code: "invalid_parameter" };
    await expect(createFolder(user, undefined, name)).rejects.toMatchObject(refusal);
    await expect(openFolder(user, undefined, name)).rejects.toMatchObject(refusal);
    await expect(putFile(user, undefined, { ...file, name })).rejects.toMatchObject(refusal);
    await expect(beginUpload(user, undefined, { ...upload, name })).rejects.toMatchObject(refusal);
    await expect(exportDocument(user.id)).rejects.toMatchObject({ status: 404, code: "no_files" });
    const { id } = await putFile(user, undefined, file);
    await expect(renameEntry(user, id, name)).rejects.toMatchObject(refusal);
  });

  test.each(["x".repeat(255), "😀".repeat(127), "con", "a\\b", '"', "..a", "a.", ".profile", "x.folder", "__proto__", "a b .txt", "% _'"])(
    "%j is kept as it is",
    async (name) => {
      const user = await makeUser();
      const { id } = await putFile(user, undefined, { ...file, name });
      const folder = await createFolder(user, undefined, `${name.slice(0, 250)}~`);
      const inside = await putFile(user, folder.id, { ...file, name });
      const listed = await listFolder(user.id, { sort: "name", descending: false, limit: 10 });
      expect(listed.entries.map((entry) => [entry.name, entry.isFolder])).toEqual([
        [folder.name, true],
        [name, false],
      ]);
      expect((await readEntry(user.id, id)).name).toBe(name);
      expect((await putFile(user, folder.id, { ...file, name, onExisting: "keep" })).name).toMatch(/ \(2\)/);
      await deleteEntries(user, [inside.id]);
      await expect(putFile(user, undefined, { ...file, name })).rejects.toMatchObject({ status: 409, code: "name_taken" });
    },
  );

  test("folders do not lie so deep that a document could not be imported again", async () => {
    const user = await makeUser();
    let parent: string | undefined;
    const deepen = async () => {
      for (let n = 0; n < 300; n++) parent = (await createFolder(user, parent, "n".repeat(255))).id;
    };
    await expect(deepen()).rejects.toMatchObject({ status: 400, code: "invalid_parameter", message: expect.stringMatching(/too deep/) });
    expect((await listFolder(user.id, { folderId: parent, sort: "name", descending: false, limit: 1 })).breadcrumbs.length).toBeLessThanOrEqual(101);
  }, 120_000);
});

describe("Parts of an upload", () => {
  test("come in order, once, no larger than 4 MB and no more than were announced", async () => {
    const user = await makeUser();
    const { uploadId } = await beginUpload(user, undefined, upload);
    for (const offset of [1, -1, 5, Number.NaN, 2 ** 60])
      await expect(addPart(user, uploadId, offset, bytes)).rejects.toMatchObject({ status: 409, headers: { "Upload-Offset": "0" } });
    await expect(addPart(user, uploadId, 0, Buffer.alloc(MOST_PART_BYTES + 1))).rejects.toMatchObject({ status: 413, code: "too_large" });
    await expect(addPart(user, uploadId, 0, Buffer.alloc(11))).rejects.toMatchObject({ status: 400, code: "too_many_bytes" });
    await expect(addPart(user, uploadId, 0, Buffer.alloc(2))).rejects.toMatchObject({ status: 400 });
    await expect(finishUpload(user, uploadId)).rejects.toMatchObject({ status: 409, code: "incomplete" });
    const both = await Promise.allSettled([addPart(user, uploadId, 0, bytes), addPart(user, uploadId, 0, bytes)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await uploadState(user, uploadId)).toEqual({ received: 5, totalBytes: 10 });
    await addPart(user, uploadId, 5, bytes);
    const { id } = await finishUpload(user, uploadId);
    expect(await textOf((await readEntry(user.id, id)).bytes)).toBe("hellohello");
    await expect(finishUpload(user, uploadId)).rejects.toMatchObject({ status: 404, code: "upload_not_found" });
    await expect(addPart(user, uploadId, 10, bytes)).rejects.toMatchObject({ status: 404 });
  });

  test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60])("of %d bytes in all are refused", async (totalBytes) => {
    await expect(beginUpload(await makeUser(), undefined, { ...upload, totalBytes })).rejects.toMatchObject({ status: 400 });
  });

  test("belong to who began them", async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    const { uploadId } = await beginUpload(user, undefined, upload);
    const refusal = { status: 404, code: "upload_not_found" };
    await expect(addPart(other, uploadId, 0, bytes)).rejects.toMatchObject(refusal);
    await expect(uploadState(other, uploadId)).rejects.toMatchObject(refusal);
    await expect(finishUpload(other, uploadId)).rejects.toMatchObject(refusal);
    await expect(cancelUpload(other, uploadId)).rejects.toMatchObject(refusal);
    expect(await uploadState(user, uploadId)).toEqual({ received: 0, totalBytes: 10 });
  });

  test("that are no text are told so, wherever a character is cut", async () => {
    const user = await makeUser();
    const text = Buffer.from("aä€😀".repeat(50));
    for (let cut = 5; cut < 25; cut++) {
      const { uploadId } = await beginUpload(user, undefined, { ...upload, name: `${cut}.txt`, isText: true, totalBytes: text.length });
      await addPart(user, uploadId, 0, text.subarray(0, cut));
      await addPart(user, uploadId, cut, text.subarray(cut));
      const { id } = await finishUpload(user, uploadId);
      expect(await textOf((await readEntry(user.id, id)).bytes)).toBe(text.toString());
    }
    const refusal = { status: 400, code: "not_text" };
    for (const part of [Buffer.from([0x61, 0x62, 0x63, 0xff, 0x61, 0x61]), Buffer.from("data:,"), Buffer.from("abc\0de"), Buffer.from([0xc0, 0xaf, 1, 1, 1])]) {
      const { uploadId } = await beginUpload(user, undefined, { ...upload, isText: true });
      await expect(addPart(user, uploadId, 0, part)).rejects.toMatchObject(refusal);
      await cancelUpload(user, uploadId);
    }
    const { uploadId } = await beginUpload(user, undefined, { ...upload, isText: true, totalBytes: 6 });
    await addPart(user, uploadId, 0, Buffer.from([97, 97, 97, 97, 97, 0xc3]));
    await expect(finishUpload(user, uploadId)).rejects.toMatchObject(refusal);
  });

  test("that stop coming are removed after an hour", async () => {
    const user = await makeUser();
    const { uploadId } = await beginUpload(user, undefined, upload);
    await addPart(user, uploadId, 0, bytes);
    await sweepFiles(new Date(Date.now() + 3_700_000));
    await expect(uploadState(user, uploadId)).rejects.toMatchObject({ status: 404 });
    expect([await db.fileUpload.count({ where: { userId: user.id } }), await db.filePiece.count({ where: { userId: user.id } })]).toEqual([0, 0]);
  });
});

test("Text that looks like a data: URL, and everything else, comes back as the bytes that were put", async () => {
  const user = await makeUser();
  for (const [n, content] of ["data:image/png;base64,AAAA", "data:", "\ufeffbom", "", "\0", "a\rb", "\u2028"].entries()) {
    const { id } = await putFile(user, undefined, { name: `${n}.txt`, bytes: Buffer.from(content), onExisting: "refuse" });
    expect(await textOf((await readEntry(user.id, id)).bytes)).toBe(content);
  }
});

test("Ids of nothing, of others and of nonsense are refused, and the root folder stays where it is", async () => {
  const [user, other] = [await makeUser(), await makeUser()];
  const { id } = await putFile(user, undefined, file);
  const foreign = await putFile(other, undefined, file);
  const { folder } = await listFolder(user.id, { sort: "name", descending: false, limit: 1 });
  const before = await textOf(await exportDocument(user.id));
  for (const wrong of [foreign.id, "0".repeat(32), "", "x", "'; DROP TABLE", "\0"]) {
    await expect(renameEntry(user, wrong, "b")).rejects.toMatchObject({ status: 404 });
    await expect(deleteEntries(user, [id, wrong])).rejects.toMatchObject({ status: 404 });
    await expect(moveEntries(user, [wrong], undefined, "keep")).rejects.toMatchObject({ status: 404 });
    if (wrong) await expect(putFile(user, wrong, { ...file, name: "c" })).rejects.toMatchObject({ status: 404 });
  }
  await expect(putFile(user, id, file)).rejects.toMatchObject({ status: 400, code: "not_a_folder" });
  await expect(deleteEntries(user, [folder.id])).rejects.toMatchObject({ status: 400, code: "root_folder" });
  for (const version of [-1, 0, 1.5, 99, Number.NaN])
    await expect(restoreEntries(user, { version, ids: [id] })).rejects.toMatchObject({ status: version === 1.5 || Number.isNaN(version) ? 400 : 410 });
  for (const nonsense of ["", "non sense", '"', "\0", "x".repeat(65)])
    await expect(restoreEntries(user, { version: 1, ids: [nonsense] })).rejects.toMatchObject({ status: 400 });
  // Documents come with ids of many kinds: this could be one, but is not in what was deleted.
  await expect(restoreEntries(user, { version: 1, ids: ["nonsense"] })).rejects.toMatchObject({ status: 410, code: "gone" });
  expect(await textOf(await exportDocument(user.id))).toBe(before);
});

describe("A quota", () => {
  const { FILE_BYTES_PER_USER, FILE_ENTRIES_PER_USER } = env;
  afterEach(() => Object.assign(env, { FILE_BYTES_PER_USER, FILE_ENTRIES_PER_USER }));

  test("takes the last byte and not one more; what makes room is allowed to who has too much", async () => {
    const user = await makeUser();
    const { id } = await putFile(user, undefined, file);
    const { bytes: used } = await filesSummary(user.id);
    await putFile(user, undefined, { ...file, onExisting: "replace", bytes: Buffer.from("12345678") });
    env.FILE_BYTES_PER_USER = used + 3;
    await putFile(user, undefined, { ...file, onExisting: "replace", bytes: Buffer.from("12345678") });
    const before = await textOf(await exportDocument(user.id));
    await expect(putFile(user, undefined, { ...file, onExisting: "replace", bytes: Buffer.from("123456789") })).rejects.toMatchObject({
      status: 403,
      code: "files_limit",
    });
    await expect(beginUpload(user, undefined, { ...upload, totalBytes: 1 })).rejects.toMatchObject({ status: 403, code: "files_limit" });
    await expect(createFolder(user, undefined, "f")).rejects.toMatchObject({ status: 403, code: "files_limit" });
    expect(await textOf(await exportDocument(user.id))).toBe(before);
    expect(await db.fileDraft.count({ where: { userId: user.id } })).toBe(0);
    env.FILE_BYTES_PER_USER = 10;
    await deleteEntries(user, [id]);
    expect((await filesSummary(user.id)).entries).toBe(1);
  });

  test("counts entries, and uploads that are under way", async () => {
    const user = await makeUser();
    await putFile(user, undefined, file);
    env.FILE_ENTRIES_PER_USER = 3;
    await beginUpload(user, undefined, upload);
    await expect(beginUpload(user, undefined, upload)).rejects.toMatchObject({ status: 403, code: "files_limit" });
    await createFolder(user, undefined, "f");
    await expect(createFolder(user, undefined, "g")).rejects.toMatchObject({ status: 403, code: "files_limit" });
  });
});
