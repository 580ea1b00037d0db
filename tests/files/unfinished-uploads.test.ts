import { describe, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { beginUpload } from "@/lib/files/begin-upload";
import { createFolder } from "@/lib/files/create-folder";
import { deleteEntries } from "@/lib/files/delete";
import { putFile } from "@/lib/files/put-file";
import { readFile } from "@/lib/files/read-file";
import { unfinishedUploads } from "@/lib/files/unfinished-uploads";
import { addPart, finishUpload } from "@/lib/files/upload";
import { textOf } from "../support/documents";
import { makeUser } from "../support/user";

const bytes = Buffer.from("hello");
const file = {
  name: "u.bin",
  totalBytes: 10,
  isText: false,
  modified: 1_790_000_000_000,
  onExisting: "refuse",
} as const;
const MINUTE_MS = 60_000;
const later = (ms: number) => new Date(Date.now() + ms);

describe("An upload that was interrupted", () => {
  test("is resumed by the same file in the same folder only", async () => {
    const user = await makeUser();
    const folder = await createFolder(user, undefined, "box");
    const { uploadId, received } = await beginUpload(user, folder.id, file);
    expect(received).toBe(0);
    await addPart(user, uploadId, 0, bytes);
    const others = await Promise.all([
      beginUpload(user, undefined, file),
      beginUpload(user, folder.id, { ...file, name: "U.bin" }),
      beginUpload(user, folder.id, { ...file, totalBytes: 11 }),
      beginUpload(user, folder.id, { ...file, modified: file.modified + 1 }),
      beginUpload(user, folder.id, { ...file, modified: undefined }),
      beginUpload(user, folder.id, { ...file, isText: true }),
      beginUpload(await makeUser(), undefined, file),
    ]);
    expect(new Set([uploadId, ...others.map((other) => other.uploadId)]).size).toBe(8);
    expect(others.every((other) => other.received === 0)).toBe(true);

    expect(await beginUpload(user, folder.id, file)).toEqual({ uploadId, received: 5 });
    await addPart(user, uploadId, 5, bytes);
    const { id } = await finishUpload(user, uploadId);
    expect(await textOf((await readFile(user.id, id)).bytes)).toBe("hellohello");
    expect((await beginUpload(user, folder.id, { ...file, onExisting: "keep" })).uploadId).not.toBe(uploadId);
  });

  test("keeps its parts if its name was taken meanwhile, and does what is said then", async () => {
    const user = await makeUser();
    const { uploadId } = await beginUpload(user, undefined, { ...file, totalBytes: 5 });
    await addPart(user, uploadId, 0, bytes);
    await putFile(user, undefined, { name: "u.bin", bytes, onExisting: "refuse" });
    await expect(finishUpload(user, uploadId)).rejects.toMatchObject({ code: "name_taken" });
    const again = await beginUpload(user, undefined, { ...file, totalBytes: 5, onExisting: "keep" });
    expect(again).toEqual({ uploadId, received: 5 });
    expect(await finishUpload(user, uploadId)).toMatchObject({ name: "u (2).bin" });
  });

  test("is listed when nobody sends it any more, with its folder, until when it is kept", async () => {
    const user = await makeUser();
    const [box, gone] = [await createFolder(user, undefined, "box"), await createFolder(user, undefined, "gone")];
    const ids = [];
    for (const folderId of [undefined, box.id, gone.id]) {
      const { uploadId } = await beginUpload(user, folderId, file);
      await addPart(user, uploadId, 0, bytes);
      ids.push(uploadId);
    }
    await beginUpload(user, box.id, { ...file, name: "nothing arrived.bin" });
    await deleteEntries(user, [gone.id]);
    expect(await unfinishedUploads(user)).toEqual([]);
    const listed = await unfinishedUploads(user, later(3 * MINUTE_MS));
    expect(listed.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(listed.map(({ folder }) => folder)).toEqual([null, "box", "All files"]);
    const { refreshedAt } = await db.fileDraft.findUniqueOrThrow({ where: { id: ids[1] } });
    expect(listed[1]).toEqual({
      id: ids[1],
      folderId: box.id,
      folder: "box",
      name: "u.bin",
      totalBytes: 10,
      received: 5,
      modified: file.modified,
      until: Number(refreshedAt) + 24 * 60 * MINUTE_MS,
    });
    expect(await unfinishedUploads(await makeUser(), later(3 * MINUTE_MS))).toEqual([]);
  });
});
