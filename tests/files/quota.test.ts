import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { signUp } from "@/lib/accounts/ways-in/sign-up";
import { createFolder } from "@/lib/files/create";
import { deleteEntries } from "@/lib/files/delete";
import { importDocument } from "@/lib/files/import";
import { filesSummary } from "@/lib/files/list";
import { renameEntry } from "@/lib/files/move";
import { openDocument, plainText } from "@/lib/files/read";
import { restoreEntries } from "@/lib/files/restore";
import { addPart, beginUpload } from "@/lib/files/upload";
import { createKey } from "@/lib/keys/create";
import { approveRequest } from "@/lib/link/approve";
import { collectToken } from "@/lib/link/collect";
import { createCode } from "@/lib/link/create";
import { db } from "@/lib/platform/db/client";
import { forgetFreeSpace } from "@/lib/platform/db/free-space";
import { env } from "@/lib/platform/env";
import { overviewOf } from "@/lib/user-data/overview";
import { chunks, smallDocument, textOf } from "@/tests/support/documents";
import { expectIndexed } from "@/tests/support/indexed";
import { newNetwork } from "@/tests/support/request";
import { makeUser, newUsername, type TestUser } from "@/tests/support/user";
import { documentOf, fileEntry, importEntries, put } from "./stored";

const QUOTA = 600_000;
const { FILE_BYTES_PER_USER, FILE_ENTRIES_PER_USER } = env;
beforeEach(() => Object.assign(env, { FILE_BYTES_PER_USER: QUOTA }));
afterEach(() => Object.assign(env, { FILE_BYTES_PER_USER, FILE_ENTRIES_PER_USER }));

let user: TestUser;
beforeEach(async () => {
  user = await makeUser();
});

async function bytesStored(userId: string): Promise<number> {
  const { _sum } = await db.filePiece.aggregate({ where: { userId }, _sum: { plainLength: true } });
  return _sum.plainLength ?? 0;
}
const textOfSize = (n: number, bytes = 200_000) => `${n} `.padEnd(bytes, "x");
const full = { status: 403, code: "files_limit" };

describe("what is kept of one user", () => {
  test("is at most twice the quota, however often a file is replaced, and counts once", async () => {
    for (let n = 0; n < 10; n++) await put(user, "a.txt", { text: textOfSize(n), onExisting: "replace" });
    expect(await bytesStored(user.id)).toBeLessThanOrEqual(2 * QUOTA);
    const { bytes } = await filesSummary(user.id);
    expect(bytes).toBeLessThan(210_000);
    expect((await overviewOf(user.id)).files.bytes).toBe(bytes);
    expect(await bytesStored(user.id)).toBeGreaterThan(bytes + 200_000);
  });

  test("is at most twice the quota, however often all is replaced: a document of most of the quota too", async () => {
    for (let n = 0; n < 6; n++) {
      await importEntries(user, [fileEntry(user.username, 2, "a", textOfSize(n, 560_000))]);
      expect(await bytesStored(user.id)).toBeLessThanOrEqual(2 * QUOTA);
    }
    expect(await documentOf(user)).toContain(textOfSize(5, 560_000));
  });

  test("is bounded in versions too: each has rows, whatever it holds", async () => {
    await importDocument(user, chunks(JSON.stringify(smallDocument(user.username))));
    const { version } = await openDocument(user.id);
    const row = await db.fileVersion.findFirstOrThrow({ where: { userId: user.id, version } });
    await db.fileVersion.createMany({
      data: Array.from({ length: 1_500 }, (_, n) => ({ ...row, version: version + 1 + n, etag: `tag ${n}` })),
    });
    await db.fileDocument.update({ where: { userId: user.id }, data: { version: version + 1_500 } });
    await put(user, "a.txt");
    expect(await db.fileVersion.count({ where: { userId: user.id } })).toBeLessThanOrEqual(1_000);
  });

  test("goes early if it is too much: a reader is cut, an undo refused, but not the newest", async () => {
    const { id } = await put(user, "a.txt", { text: textOfSize(0) });
    const first = await openDocument(user.id);
    const deletion = await deleteEntries(user, [id]);
    for (let n = 1; n < 8; n++) await put(user, "b.txt", { text: textOfSize(n), onExisting: "replace" });
    await expect(textOf(plainText(first))).rejects.toThrow(/was removed to/);
    await expect(restoreEntries(user, deletion)).rejects.toMatchObject({ status: 410, code: "gone" });
    await restoreEntries(user, await deleteEntries(user, [(await put(user, "c.txt", { text: textOfSize(9) })).id]));
    expect((await filesSummary(user.id)).bytes).toBeGreaterThan(400_000);
  });

  test("stays within bounds where several write at once", async () => {
    await importDocument(user, chunks(JSON.stringify(smallDocument(user.username))));
    const writes = Array.from({ length: 8 }, (_, n) =>
      put(user, `${n % 3}.txt`, { text: textOfSize(n), onExisting: "replace" }),
    );
    for (const one of await Promise.allSettled(writes))
      if (one.status === "rejected") expect(one.reason).toMatchObject(full);
    expect((await filesSummary(user.id)).bytes).toBeLessThanOrEqual(QUOTA);
    expect(await bytesStored(user.id)).toBeLessThanOrEqual(2 * QUOTA);
  });
});

const large = { name: "big.txt", totalBytes: 280_000, isText: true, onExisting: "keep" } as const;

test("uploads under way are counted together, even if they begin concurrently", async () => {
  const begun = await Promise.allSettled(Array.from({ length: 12 }, () => beginUpload(user, undefined, large)));
  expect(begun.filter((one) => one.status === "fulfilled")).toHaveLength(2);
  for (const one of begun) if (one.status === "rejected") expect(one.reason).toMatchObject(full);
});

test("uploads under way take no more rows than so many bytes need, in however small parts they come", async () => {
  const { uploadId } = await beginUpload(user, undefined, { ...large, totalBytes: 580_000 });
  let parts = 0;
  let refused: unknown;
  for (; !refused; parts++)
    await addPart(user, uploadId, { offset: parts * 5, bytes: Buffer.from("abcde") }).catch(
      (error) => (refused = error),
    );
  expect(refused).toMatchObject(full);
  expect(parts).toBeLessThan(200);
});

describe("a quota", () => {
  const upload = { name: "u.bin", totalBytes: 10, isText: false, onExisting: "refuse" } as const;

  test("takes the last byte and not one more; what makes room is allowed to who has too much", async () => {
    const replace = (text: string) => put(user, "a.txt", { text, onExisting: "replace" });
    const { id } = await replace("hello");
    const { bytes: used } = await filesSummary(user.id);
    await replace("12345678");
    env.FILE_BYTES_PER_USER = used + 3;
    await replace("12345678");
    const before = await documentOf(user);
    await expect(replace("123456789")).rejects.toMatchObject(full);
    await expect(beginUpload(user, undefined, { ...upload, totalBytes: 1 })).rejects.toMatchObject(full);
    await expect(createFolder(user, undefined, { name: "f" })).rejects.toMatchObject(full);
    expect(await documentOf(user)).toBe(before);
    expect(await db.fileDraft.count({ where: { userId: user.id } })).toBe(0);
    env.FILE_BYTES_PER_USER = 10;
    await deleteEntries(user, [id]);
    expect((await filesSummary(user.id)).entries).toBe(1);
  });

  test("counts entries, and uploads that are under way", async () => {
    await put(user, "a.txt", { text: textOfSize(0, 10) });
    env.FILE_ENTRIES_PER_USER = 3;
    await beginUpload(user, undefined, upload);
    await expect(beginUpload(user, undefined, upload)).rejects.toMatchObject(full);
    await createFolder(user, undefined, { name: "f" });
    await expect(createFolder(user, undefined, { name: "g" })).rejects.toMatchObject(full);
  });

  test("is not passed by writers that race for the last room", async () => {
    await put(user, "first.txt", { text: textOfSize(0, 10) });
    env.FILE_ENTRIES_PER_USER = 5;
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => put(user, `${n}.txt`, { text: textOfSize(n, 10) })),
    );
    const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    expect(refused.length).toBe(7);
    for (const reason of refused) expect(reason).toMatchObject(full);
    expect((await filesSummary(user.id)).entries).toBe(5);
    await expectIndexed(user.id);
  });
});

const diskFull = { status: 507, code: "storage_full" };

function limitSpace(bytes: number | undefined) {
  env.KEEP_FREE_BYTES = bytes;
  forgetFreeSpace();
}
afterEach(() => limitSpace(undefined));

// PostgreSQL's disk is not ours to look at.
if (env.DATABASE_URL)
  test("the room that is left on the disk does not count", async () => {
    limitSpace(Number.MAX_SAFE_INTEGER);
    expect(await put(user, "a.txt")).toMatchObject({ name: "a.txt" });
  });
else
  describe("where the disk is nearly full", () => {
    beforeEach(() => Object.assign(env, { FILE_BYTES_PER_USER }));

    test("nothing more is stored as files, while keys and deletions still write", async () => {
      const upload = { name: "b.txt", totalBytes: 10, isText: true, onExisting: "keep" } as const;
      const { id } = await put(user, "a.txt");
      const { uploadId } = await beginUpload(user, undefined, upload);

      limitSpace(Number.MAX_SAFE_INTEGER);
      for (const storing of [
        () => put(user, "a.txt", { onExisting: "keep" }),
        () => beginUpload(user, undefined, upload),
        () => addPart(user, uploadId, { offset: 0, bytes: Buffer.from("0123456789") }),
        () => importEntries(user, []),
        () => createFolder(user, undefined, { name: "f" }),
        () => renameEntry(user, id, { name: "c.txt" }),
      ])
        await expect(storing()).rejects.toMatchObject(diskFull);
      await createKey({ ...user, role: "user" }, { data: "x", price: "1" });
      const deletion = await deleteEntries(user, [id]);
      await expect(restoreEntries(user, deletion)).rejects.toMatchObject(diskFull);

      limitSpace(0);
      await restoreEntries(user, deletion);
      await importEntries(user, []);
    });

    test("no stranger gets a code or an account, while those that were given out link", async () => {
      const network = newNetwork();
      const agent = { network, program: "curl/8.5.0", webPage: null };
      const { id, code } = await createCode(agent);
      limitSpace(Number.MAX_SAFE_INTEGER);
      await expect(createCode(agent)).rejects.toMatchObject(diskFull);
      const signingUp = signUp({ username: newUsername(), password: "correct horse battery" }, { network });
      await expect(signingUp).rejects.toMatchObject(diskFull);
      await approveRequest({ id: user.id, network }, id);
      expect(await collectToken(agent, code, { secret: null })).toEqual({ token: user.token });
    });

    test("an import that began earlier ends when the disk is full, and leaves nothing", async () => {
      async function* slowly() {
        const text = JSON.stringify(smallDocument(user.username, "x".repeat(1_500_000)));
        for await (const chunk of chunks(text, 300_000)) {
          yield chunk;
          limitSpace(Number.MAX_SAFE_INTEGER);
        }
      }
      await expect(importDocument(user, slowly())).rejects.toMatchObject(diskFull);
    });
  });
