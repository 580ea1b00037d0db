import { beforeEach, describe, expect, test } from "vitest";
import { createFolder } from "@/lib/files/create";
import { deleteEntries } from "@/lib/files/delete";
import { importDocument } from "@/lib/files/import";
import { listFolder } from "@/lib/files/list";
import { readFile } from "@/lib/files/read";
import { restoreEntries } from "@/lib/files/restore";
import { PART_BYTES } from "@/lib/files/schema";
import { searchFiles } from "@/lib/files/search";
import { sweepFiles } from "@/lib/files/sweep";
import { addPart, beginUpload, cancelUpload, finishUpload, unfinishedUploads, uploadState } from "@/lib/files/upload";
import { db } from "@/lib/platform/db/client";
import { chunks, smallDocument, textOf } from "@/tests/support/documents";
import { expectIndexed } from "@/tests/support/indexed";
import { makeUser, type TestUser } from "@/tests/support/user";
import { put } from "./stored";

const bytes = Buffer.from("hello");
const upload = { name: "u.bin", totalBytes: 10, isText: false, onExisting: "refuse" } as const;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const later = (ms: number) => new Date(Date.now() + ms);

let user: TestUser;
beforeEach(async () => {
  user = await makeUser();
});

const textIn = async (user: TestUser, id: string) => textOf((await readFile(user.id, id)).bytes());
const namesOf = async (user: TestUser) => {
  const { entries } = await listFolder(user.id, { sort: "name", descending: false, limit: 10 });
  return entries.map(({ name }) => name);
};
const pathsOf = async (user: TestUser, name: string) =>
  (await searchFiles(user.id, name)).entries.map(({ folders, name }) => [...folders, name].join("/"));

describe("parts of an upload", () => {
  test("come in order, once, no larger than a part may be and no more than were announced", async () => {
    for (const totalBytes of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60])
      await expect(beginUpload(user, undefined, { ...upload, totalBytes })).rejects.toMatchObject({ status: 400 });
    const { uploadId } = await beginUpload(user, undefined, upload);
    const send = (offset: number, part: Buffer) => addPart(user, uploadId, { offset, bytes: part });
    for (const offset of [1, -1, 5, Number.NaN, 2 ** 60])
      await expect(send(offset, bytes)).rejects.toMatchObject({ status: 409, code: "wrong_offset" });
    const tooLarge = { status: 413, code: "body_too_large" };
    await expect(send(0, Buffer.alloc(PART_BYTES + 1))).rejects.toMatchObject(tooLarge);
    await expect(send(0, Buffer.alloc(11))).rejects.toMatchObject({ status: 400, code: "too_many_bytes" });
    await expect(send(0, Buffer.alloc(2))).rejects.toMatchObject({ status: 400 });
    await expect(finishUpload(user, uploadId)).rejects.toMatchObject({ status: 409, code: "incomplete" });
    const both = await Promise.allSettled([send(0, bytes), send(0, bytes)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await uploadState(user, uploadId)).toEqual({ received: 5 });
    await send(5, bytes);
    expect(await textIn(user, (await finishUpload(user, uploadId)).id)).toBe("hellohello");
    await expect(send(10, bytes)).rejects.toMatchObject({ status: 404 });
  });

  test("become one file, however often and however concurrently that is asked for", async () => {
    await put(user, "u.bin");
    const { uploadId } = await beginUpload(user, undefined, { ...upload, totalBytes: 5, onExisting: "keep" });
    await addPart(user, uploadId, { offset: 0, bytes });
    const finish = () => finishUpload(user, uploadId);
    const [one, other] = await Promise.all([finish(), finish()]);
    expect([one.id, other.id, (await finish()).id]).toEqual([uploadId, uploadId, uploadId]);
    expect(await uploadState(user, uploadId)).toEqual({ received: 5 });
    expect(await namesOf(user)).toEqual(["u (2).bin", "u.bin"]);
    await expect(finishUpload(await makeUser(), uploadId)).rejects.toMatchObject({ code: "upload_not_found" });
    for (const id of ["\0", "", "x".repeat(32)])
      await expect(finishUpload(await makeUser(), id)).rejects.toMatchObject({ code: "upload_not_found" });
  });

  test("belong to the user who began them", async () => {
    const other = await makeUser();
    const { uploadId } = await beginUpload(user, undefined, upload);
    const refusal = { status: 404, code: "upload_not_found" };
    await expect(addPart(other, uploadId, { offset: 0, bytes })).rejects.toMatchObject(refusal);
    for (const act of [uploadState, finishUpload, cancelUpload])
      await expect(act(other, uploadId)).rejects.toMatchObject(refusal);
    expect(await uploadState(user, uploadId)).toEqual({ received: 0 });
  });

  test("that are no text are told so, wherever a character is cut", async () => {
    const text = Buffer.from("aä€😀".repeat(50));
    const begin = async (name: string, totalBytes: number) =>
      (await beginUpload(user, undefined, { ...upload, name, isText: true, totalBytes })).uploadId;
    for (let cut = 5; cut < 15; cut++) {
      const id = await begin(`${cut}.txt`, text.length);
      await addPart(user, id, { offset: 0, bytes: text.subarray(0, cut) });
      await addPart(user, id, { offset: cut, bytes: text.subarray(cut) });
      expect(await textIn(user, (await finishUpload(user, id)).id)).toBe(text.toString());
    }
    const refusal = { status: 400, code: "not_text" };
    for (const part of ["616263ff6161", "646174613a2c", "616263006465", "c0af010101"]) {
      const id = await begin("u.bin", 10);
      await expect(addPart(user, id, { offset: 0, bytes: Buffer.from(part, "hex") })).rejects.toMatchObject(refusal);
      await cancelUpload(user, id);
    }
    const id = await begin("u.bin", 6);
    await addPart(user, id, { offset: 0, bytes: Buffer.from("6161616161c3", "hex") });
    await expect(finishUpload(user, id)).rejects.toMatchObject(refusal);
  });

  test("that stop coming are removed after a day, and if none ever came, after an hour", async () => {
    const [{ uploadId }, { uploadId: empty }] = [
      await beginUpload(user, undefined, upload),
      await beginUpload(user, undefined, upload),
    ];
    await addPart(user, uploadId, { offset: 0, bytes });
    await sweepFiles(later(HOUR_MS + 2 * MINUTE_MS));
    await expect(uploadState(user, empty)).rejects.toMatchObject({ status: 404 });
    await sweepFiles(later(23 * HOUR_MS));
    expect(await uploadState(user, uploadId)).toEqual({ received: 5 });
    await sweepFiles(later(25 * HOUR_MS));
    await expect(uploadState(user, uploadId)).rejects.toMatchObject({ status: 404 });
    const where = { userId: user.id };
    expect([await db.fileUpload.count({ where }), await db.filePiece.count({ where })]).toEqual([0, 0]);
  });
});

describe("an upload that was interrupted", () => {
  const file = { ...upload, modified: 1_790_000_000_000 };

  test("is resumed by the same file in the same folder only", async () => {
    const folder = await createFolder(user, undefined, { name: "box" });
    const begin = (change: Partial<Parameters<typeof beginUpload>[2]>) =>
      beginUpload(user, folder.id, { ...file, ...change });
    const { uploadId, received } = await begin({});
    expect(received).toBe(0);
    await addPart(user, uploadId, { offset: 0, bytes });
    const others = await Promise.all([
      beginUpload(user, undefined, file),
      beginUpload(await makeUser(), undefined, file),
      begin({ name: "U.bin" }),
      begin({ totalBytes: 11 }),
      begin({ modified: file.modified + 1 }),
      begin({ modified: undefined }),
      begin({ isText: true }),
    ]);
    expect(new Set([uploadId, ...others.map((other) => other.uploadId)]).size).toBe(8);
    expect(others.every((other) => other.received === 0)).toBe(true);

    expect(await begin({})).toEqual({ uploadId, received: 5 });
    await addPart(user, uploadId, { offset: 5, bytes });
    expect(await textIn(user, (await finishUpload(user, uploadId)).id)).toBe("hellohello");
    expect((await begin({ onExisting: "keep" })).uploadId).not.toBe(uploadId);
  });

  test("keeps its parts if its name was taken meanwhile, and does what is said then", async () => {
    const { uploadId } = await beginUpload(user, undefined, { ...file, totalBytes: 5 });
    await addPart(user, uploadId, { offset: 0, bytes });
    await put(user, "u.bin");
    await expect(finishUpload(user, uploadId)).rejects.toMatchObject({ code: "name_taken" });
    const again = await beginUpload(user, undefined, { ...file, totalBytes: 5, onExisting: "keep" });
    expect(again).toEqual({ uploadId, received: 5 });
    expect(await finishUpload(user, uploadId)).toMatchObject({ name: "u (2).bin" });
  });

  test("is listed when nobody sends it any more, with its folder, until when it is kept", async () => {
    const [box, deleted] = [
      await createFolder(user, undefined, { name: "box" }),
      await createFolder(user, undefined, { name: "gone" }),
    ];
    const ids = [];
    for (const folderId of [undefined, box.id, deleted.id]) {
      const { uploadId } = await beginUpload(user, folderId, file);
      await addPart(user, uploadId, { offset: 0, bytes });
      ids.push(uploadId);
    }
    await beginUpload(user, box.id, { ...file, name: "nothing arrived.bin" });
    await deleteEntries(user, [deleted.id]);
    expect(await unfinishedUploads(user)).toEqual([]);
    const listed = await unfinishedUploads(user, later(3 * MINUTE_MS));
    expect(listed.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(listed.map(({ folder }) => folder)).toEqual([null, "box", "All files"]);
    const { refreshedAt } = await db.fileDraft.findUniqueOrThrow({ where: { id: ids[1] } });
    const { isText: _, onExisting: __, ...shown } = file;
    const until = Number(refreshedAt) + 24 * HOUR_MS;
    expect(listed[1]).toEqual({ ...shown, id: ids[1], folderId: box.id, folder: "box", received: 5, until });
    expect(await unfinishedUploads(await makeUser(), later(3 * MINUTE_MS))).toEqual([]);
  });
});

describe("an upload, all of whose bytes have come,", () => {
  const BYTES = Buffer.alloc(700_000, "some bytes");
  async function uploaded(user: TestUser, folder: string): Promise<string> {
    const { uploadId } = await beginUpload(user, folder, { ...upload, totalBytes: BYTES.length });
    await addPart(user, uploadId, { offset: 0, bytes: BYTES });
    return uploadId;
  }
  const notFound = { status: 404, code: "entry_not_found" };

  test("waits if its folder is deleted, and goes on when that is brought back under another name", async () => {
    const folder = await createFolder(user, undefined, { name: "box" });
    const uploadId = await uploaded(user, folder.id);
    const deleted = await deleteEntries(user, [folder.id]);
    await expect(finishUpload(user, uploadId)).rejects.toMatchObject(notFound);
    expect(await uploadState(user, uploadId)).toEqual({ received: BYTES.length });
    await createFolder(user, undefined, { name: "box" });
    await restoreEntries(user, deleted);
    await finishUpload(user, uploadId);
    expect(await pathsOf(user, "u.bin")).toEqual(["box (2)/u.bin"]);
    await expectIndexed(user.id);
  });

  test("ends in what was imported meanwhile, or says that its folder is gone; nothing of it stays hidden", async () => {
    const folder = await createFolder(user, undefined, { name: "box" });
    const [uploadInFolder, uploadInRoot] = [await uploaded(user, folder.id), await uploaded(user, "")];
    await importDocument(user, chunks(JSON.stringify(smallDocument(user.username))));
    await expect(finishUpload(user, uploadInFolder)).rejects.toMatchObject(notFound);
    await finishUpload(user, uploadInRoot);
    expect(await pathsOf(user, "u.bin")).toEqual(["u.bin"]);
    await expectIndexed(user.id);
    await sweepFiles(later(25 * HOUR_MS));
    expect(await db.filePiece.count({ where: { userId: user.id, draftId: { not: null } } })).toBe(0);
  });
});
