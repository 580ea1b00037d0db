import { describe, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { beginUpload } from "@/lib/files/begin-upload";
import { listFolder } from "@/lib/files/list";
import { PART_BYTES } from "@/lib/files/part-bytes";
import { putFile } from "@/lib/files/put-file";
import { readFile } from "@/lib/files/read-file";
import { sweepFiles } from "@/lib/files/sweep";
import { addPart, cancelUpload, finishUpload, uploadState } from "@/lib/files/upload";
import { textOf } from "../support/documents";
import { makeUser } from "../support/user";

const bytes = Buffer.from("hello");
const upload = { name: "u.bin", totalBytes: 10, isText: false, onExisting: "refuse" } as const;

const LISTED = { sort: "name", descending: false, limit: 10 } as const;

describe("Parts of an upload", () => {
  test("come in order, once, no larger than a part may be and no more than were announced", async () => {
    const user = await makeUser();
    const { uploadId } = await beginUpload(user, undefined, upload);
    for (const offset of [1, -1, 5, Number.NaN, 2 ** 60])
      await expect(addPart(user, uploadId, offset, bytes)).rejects.toMatchObject({
        status: 409,
        headers: { "Upload-Offset": "0" },
      });
    await expect(addPart(user, uploadId, 0, Buffer.alloc(PART_BYTES + 1))).rejects.toMatchObject({
      status: 413,
      code: "body_too_large",
    });
    await expect(addPart(user, uploadId, 0, Buffer.alloc(11))).rejects.toMatchObject({
      status: 400,
      code: "too_many_bytes",
    });
    await expect(addPart(user, uploadId, 0, Buffer.alloc(2))).rejects.toMatchObject({ status: 400 });
    await expect(finishUpload(user, uploadId)).rejects.toMatchObject({ status: 409, code: "incomplete" });
    const both = await Promise.allSettled([addPart(user, uploadId, 0, bytes), addPart(user, uploadId, 0, bytes)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await uploadState(user, uploadId)).toEqual({ received: 5, totalBytes: 10 });
    await addPart(user, uploadId, 5, bytes);
    const { id } = await finishUpload(user, uploadId);
    expect(await textOf((await readFile(user.id, id)).bytes)).toBe("hellohello");
    await expect(addPart(user, uploadId, 10, bytes)).rejects.toMatchObject({ status: 404 });
  });

  test("become one file, however often and however concurrently that is asked for", async () => {
    const user = await makeUser();
    await putFile(user, undefined, { name: "u.bin", bytes, onExisting: "refuse" });
    const { uploadId } = await beginUpload(user, undefined, { ...upload, totalBytes: 5, onExisting: "keep" });
    await addPart(user, uploadId, 0, bytes);
    const finish = () => finishUpload(user, uploadId);
    const [one, other] = await Promise.all([finish(), finish()]);
    expect([one.id, other.id, (await finish()).id]).toEqual([uploadId, uploadId, uploadId]);
    expect(await uploadState(user, uploadId)).toEqual({ received: 5, totalBytes: 5 });
    expect((await listFolder(user.id, LISTED)).entries.map(({ name }) => name)).toEqual(["u (2).bin", "u.bin"]);
    await expect(finishUpload(await makeUser(), uploadId)).rejects.toMatchObject({ code: "upload_not_found" });
  });

  test("or a file sent whole are kept beside an existing one once, if the same request comes twice", async () => {
    const user = await makeUser();
    await putFile(user, undefined, { name: "u.bin", bytes, onExisting: "refuse" });
    const whole = { id: "0123456789abcdef0123456789abcdef", name: "u.bin", bytes, onExisting: "keep" } as const;
    const put = () => putFile(user, undefined, whole);
    expect(await Promise.all([put(), put()])).toMatchObject([{ name: "u (2).bin" }, { name: "u (2).bin" }]);
    expect(await put()).toMatchObject({ id: whole.id, size: 5 });
    expect((await listFolder(user.id, LISTED)).total).toBe(2);
  });

  test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60])(
    "of %d bytes in all are refused",
    async (totalBytes) => {
      await expect(beginUpload(await makeUser(), undefined, { ...upload, totalBytes })).rejects.toMatchObject({
        status: 400,
      });
    },
  );

  test("belong to the user who began them", async () => {
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
      const { uploadId } = await beginUpload(user, undefined, {
        ...upload,
        name: `${cut}.txt`,
        isText: true,
        totalBytes: text.length,
      });
      await addPart(user, uploadId, 0, text.subarray(0, cut));
      await addPart(user, uploadId, cut, text.subarray(cut));
      const { id } = await finishUpload(user, uploadId);
      expect(await textOf((await readFile(user.id, id)).bytes)).toBe(text.toString());
    }
    const refusal = { status: 400, code: "not_text" };
    for (const part of [
      Buffer.from([0x61, 0x62, 0x63, 0xff, 0x61, 0x61]),
      Buffer.from("data:,"),
      Buffer.from("abc\0de"),
      Buffer.from([0xc0, 0xaf, 1, 1, 1]),
    ]) {
      const { uploadId } = await beginUpload(user, undefined, { ...upload, isText: true });
      await expect(addPart(user, uploadId, 0, part)).rejects.toMatchObject(refusal);
      await cancelUpload(user, uploadId);
    }
    const { uploadId } = await beginUpload(user, undefined, { ...upload, isText: true, totalBytes: 6 });
    await addPart(user, uploadId, 0, Buffer.from([97, 97, 97, 97, 97, 0xc3]));
    await expect(finishUpload(user, uploadId)).rejects.toMatchObject(refusal);
  });

  test("that stop coming are removed after a day, and if none ever came, after an hour", async () => {
    const user = await makeUser();
    const [{ uploadId }, { uploadId: empty }] = [
      await beginUpload(user, undefined, upload),
      await beginUpload(user, undefined, upload),
    ];
    await addPart(user, uploadId, 0, bytes);
    await sweepFiles(new Date(Date.now() + 3_700_000));
    await expect(uploadState(user, empty)).rejects.toMatchObject({ status: 404 });
    await sweepFiles(new Date(Date.now() + 23 * 3_600_000));
    expect(await uploadState(user, uploadId)).toEqual({ received: 5, totalBytes: 10 });
    await sweepFiles(new Date(Date.now() + 25 * 3_600_000));
    await expect(uploadState(user, uploadId)).rejects.toMatchObject({ status: 404 });
    expect([
      await db.fileUpload.count({ where: { userId: user.id } }),
      await db.filePiece.count({ where: { userId: user.id } }),
    ]).toEqual([0, 0]);
  });
});
