import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { overviewOf } from "@/lib/account/overview";
import { db } from "@/lib/db/client";
import { env } from "@/lib/env";
import { ApiError } from "@/lib/errors";
import { beginUpload } from "@/lib/files/begin-upload";
import { createFolder } from "@/lib/files/create-folder";
import { deleteEntries } from "@/lib/files/delete";
import { exportDocument } from "@/lib/files/export";
import { importDocument } from "@/lib/files/import";
import { keptBytes } from "@/lib/files/pieces/kept-versions";
import { putFile } from "@/lib/files/put-file";
import { openDocument, plainText } from "@/lib/files/read-document";
import { restoreEntries } from "@/lib/files/restore";
import { filesSummary } from "@/lib/files/summary";
import { addPart } from "@/lib/files/upload";
import { chunks, file, root, smallDocument, textOf, values } from "@/tests/support/documents";
import { makeUser } from "@/tests/support/user";

const QUOTA = 600_000;
const { FILE_BYTES_PER_USER, FILE_ENTRIES_PER_USER } = env;
beforeEach(() => Object.assign(env, { FILE_BYTES_PER_USER: QUOTA }));
afterEach(() => Object.assign(env, { FILE_BYTES_PER_USER, FILE_ENTRIES_PER_USER }));

async function bytesKept(userId: string): Promise<number> {
  const { _sum } = await db.filePiece.aggregate({ where: { userId }, _sum: { plainLength: true } });
  return _sum.plainLength ?? 0;
}
const text = (n: number, bytes = 200_000) => Buffer.from(`${n} `.padEnd(bytes, "x"));
const status = (error: unknown) => (error instanceof ApiError ? [error.status, error.code] : error);

describe("what is kept of one user", () => {
  test("is at most twice the quota, however often a file is replaced, and the page tells how much", async () => {
    const user = await makeUser();
    for (let n = 0; n < 10; n++)
      await putFile(user, undefined, { name: "a.txt", bytes: text(n), onExisting: n === 0 ? "refuse" : "replace" });
    expect(await bytesKept(user.id)).toBeLessThanOrEqual(2 * QUOTA);
    const { bytes } = await filesSummary(user.id);
    expect(bytes).toBeLessThan(210_000);
    expect((await overviewOf(user.id)).files.bytes).toBe(bytes);
    const kept = await keptBytes(user.id);
    expect(kept).toBeGreaterThan(200_000);
    expect(kept).toBeLessThanOrEqual(QUOTA);
    expect(await bytesKept(user.id)).toBeLessThanOrEqual(bytes + kept);
  });

  test("is at most twice the quota, however often all is replaced: a document of most of the quota too", async () => {
    const user = await makeUser();
    const document = (n: number) =>
      JSON.stringify([...values(root(user.username)), ...values(file(user.username, 2, text(n, 560_000).toString()))]);
    for (let n = 0; n < 6; n++) {
      await importDocument(user, chunks(document(n)));
      expect(await bytesKept(user.id)).toBeLessThanOrEqual(2 * QUOTA);
    }
    expect(await textOf(plainText(await openDocument(user.id)))).toBe(document(5));
  });

  test("is bounded in versions too: each has rows, whatever it holds", async () => {
    const user = await makeUser();
    await importDocument(user, chunks(JSON.stringify(smallDocument(user.username))));
    const { version } = await openDocument(user.id);
    const row = await db.fileVersion.findFirstOrThrow({ where: { userId: user.id, version } });
    await db.fileVersion.createMany({
      data: Array.from({ length: 1_500 }, (_, n) => ({ ...row, version: version + 1 + n, etag: `tag ${n}` })),
    });
    await db.fileDocument.update({ where: { userId: user.id }, data: { version: version + 1_500 } });
    await putFile(user, undefined, { name: "a.txt", bytes: text(1, 10), onExisting: "refuse" });
    expect(await db.fileVersion.count({ where: { userId: user.id } })).toBeLessThanOrEqual(1_000);
  });

  test(
    "of versions that went early, a reader is cut and an undo refused; the newest deletion can still be " + "undone",
    async () => {
      const user = await makeUser();
      const { id } = await putFile(user, undefined, { name: "a.txt", bytes: text(0), onExisting: "refuse" });
      const first = await openDocument(user.id);
      const deletion = await deleteEntries(user, [id]);
      for (let n = 1; n < 8; n++)
        await putFile(user, undefined, { name: "b.txt", bytes: text(n), onExisting: n === 1 ? "refuse" : "replace" });
      await expect(textOf(plainText(first))).rejects.toThrow(/was removed to/);
      expect(status(await restoreEntries(user, deletion).catch((error) => error))).toEqual([410, "gone"]);
      const again = await deleteEntries(user, [
        (await putFile(user, undefined, { name: "c.txt", bytes: text(9), onExisting: "refuse" })).id,
      ]);
      await restoreEntries(user, again);
      expect((await filesSummary(user.id)).bytes).toBeGreaterThan(400_000);
    },
  );

  test("stays within bounds where several write at once", async () => {
    const user = await makeUser();
    await importDocument(user, chunks(JSON.stringify(smallDocument(user.username))));
    const writes = Array.from({ length: 8 }, (_, n) =>
      putFile(user, undefined, { name: `${n % 3}.txt`, bytes: text(n), onExisting: "replace" }),
    );
    const refused = (await Promise.allSettled(writes)).flatMap((one) =>
      one.status === "rejected" ? [status(one.reason)] : [],
    );
    for (const one of refused) expect(one).toEqual([403, "files_limit"]);
    expect((await filesSummary(user.id)).bytes).toBeLessThanOrEqual(QUOTA);
    expect(await bytesKept(user.id)).toBeLessThanOrEqual(2 * QUOTA);
  });
});

describe("uploads under way", () => {
  const upload = { name: "big.txt", totalBytes: 280_000, isText: true, onExisting: "keep" } as const;

  test("are counted together, even if they begin concurrently", async () => {
    const user = await makeUser();
    const begun = await Promise.allSettled(Array.from({ length: 12 }, () => beginUpload(user, undefined, upload)));
    expect(begun.filter((one) => one.status === "fulfilled")).toHaveLength(2);
    for (const one of begun) if (one.status === "rejected") expect(status(one.reason)).toEqual([403, "files_limit"]);
  });

  test("take no more rows than so many bytes need, in however small parts they come", async () => {
    const other = await makeUser();
    const { uploadId: small } = await beginUpload(other, undefined, { ...upload, totalBytes: 580_000 });
    let parts = 0;
    let refused: unknown;
    for (; !refused; parts++)
      await addPart(other, small, parts * 5, Buffer.from("abcde")).catch((error) => (refused = error));
    expect(status(refused)).toEqual([403, "files_limit"]);
    expect(parts).toBeLessThan(200);
  });
});

describe("A quota", () => {
  const file = { name: "a.txt", bytes: Buffer.from("hello"), onExisting: "refuse" } as const;
  const upload = { name: "u.bin", totalBytes: 10, isText: false, onExisting: "refuse" } as const;

  test("takes the last byte and not one more; what makes room is allowed to who has too much", async () => {
    const user = await makeUser();
    const { id } = await putFile(user, undefined, file);
    const { bytes: used } = await filesSummary(user.id);
    await putFile(user, undefined, { ...file, onExisting: "replace", bytes: Buffer.from("12345678") });
    env.FILE_BYTES_PER_USER = used + 3;
    await putFile(user, undefined, { ...file, onExisting: "replace", bytes: Buffer.from("12345678") });
    const before = await textOf(await exportDocument(user.id));
    await expect(
      putFile(user, undefined, { ...file, onExisting: "replace", bytes: Buffer.from("123456789") }),
    ).rejects.toMatchObject({
      status: 403,
      code: "files_limit",
    });
    await expect(beginUpload(user, undefined, { ...upload, totalBytes: 1 })).rejects.toMatchObject({
      status: 403,
      code: "files_limit",
    });
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
