import { afterEach, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { env } from "@/lib/env";
import { beginUpload } from "@/lib/files/begin-upload";
import { createFolder } from "@/lib/files/create-folder";
import { deleteEntries } from "@/lib/files/delete";
import { exportDocument } from "@/lib/files/export";
import { importDocument } from "@/lib/files/import";
import { putFile } from "@/lib/files/put-file";
import { openDocument, plainText } from "@/lib/files/read-document";
import { renameEntry } from "@/lib/files/rename";
import { restoreEntries } from "@/lib/files/restore";
import { filesSummary } from "@/lib/files/summary";
import { sweepFiles } from "@/lib/files/sweep";
import { addPart, finishUpload, uploadState } from "@/lib/files/upload";
import { chunks, smallDocument, textOf } from "../support/documents";
import { entriesOf, expectIndexed } from "../support/indexed";
import { makeUser, type TestUser } from "../support/user";

const { FILE_ENTRIES_PER_USER } = env;
afterEach(() => Object.assign(env, { FILE_ENTRIES_PER_USER }));

const BYTES = Buffer.alloc(700_000, "some bytes");
const put = (user: TestUser, name: string, folder?: string) =>
  putFile(user, folder, { name, bytes: Buffer.from(name), onExisting: "refuse" });

/** Where every file lies. */
async function pathsOf(user: TestUser): Promise<string[]> {
  const entries = entriesOf(JSON.parse(await textOf(await exportDocument(user.id))));
  return entries
    .map(([type, name, location]) => `${location}/${name}${type}`.replace(`origin/(c) users/${user.username}`, "~"))
    .sort();
}

/** An upload into a folder, all of whose bytes have come. */
async function uploaded(user: TestUser, folder: string): Promise<string> {
  const { uploadId } = await beginUpload(user, folder, {
    name: "up.bin",
    totalBytes: BYTES.length,
    isText: false,
    onExisting: "refuse",
  });
  await addPart(user, uploadId, 0, BYTES);
  return uploadId;
}

test(
  "A folder that is deleted during an upload into it: the upload is refused and waits, and goes on " +
    "when the folder is brought back under another name",
  async () => {
    const user = await makeUser();
    const folder = await createFolder(user, undefined, "box");
    const uploadId = await uploaded(user, folder.id);
    const deleted = await deleteEntries(user, [folder.id]);
    await expect(finishUpload(user, uploadId)).rejects.toMatchObject({ status: 404, code: "entry_not_found" });
    expect(await uploadState(user, uploadId)).toEqual({ received: BYTES.length, totalBytes: BYTES.length });
    await createFolder(user, undefined, "box");
    await restoreEntries(user, deleted);
    await finishUpload(user, uploadId);
    expect(await pathsOf(user)).toContain("~/box (2)/up.bin");
    await expectIndexed(user.id);
  },
);

test(
  "An import during an upload: the upload ends in the new document, or says that its folder is gone; " +
    "nothing of it stays hidden",
  async () => {
    const user = await makeUser();
    const folder = await createFolder(user, undefined, "box");
    const [lost, kept] = [await uploaded(user, folder.id), await uploaded(user, "")];
    await importDocument(user, chunks(JSON.stringify(smallDocument(user.username))));
    await expect(finishUpload(user, lost)).rejects.toMatchObject({ status: 404, code: "entry_not_found" });
    await finishUpload(user, kept);
    expect((await pathsOf(user)).filter((path) => path.endsWith("up.bin"))).toEqual(["~/up.bin"]);
    await expectIndexed(user.id);
    await sweepFiles(new Date(Date.now() + 25 * 3_600_000));
    expect(await db.filePiece.count({ where: { userId: user.id, draftId: { not: null } } })).toBe(0);
  },
);

test("Undo after others changed the same place: what they did stays, and twice is once", async () => {
  const user = await makeUser();
  const folder = await createFolder(user, undefined, "box");
  const file = await put(user, "a.txt", folder.id);
  const deleted = await deleteEntries(user, [file.id]);
  await put(user, "a.txt", folder.id);
  await renameEntry(user, folder.id, "case");
  await Promise.all([restoreEntries(user, deleted), restoreEntries(user, deleted), put(user, "b.txt")]);
  // Its old folder has another name now, so it comes back into the root.
  expect(await pathsOf(user)).toEqual(["~.folder", "~/a.txt", "~/b.txt", "~/case.folder", "~/case/a.txt"]);
  await expectIndexed(user.id);
});

test("Writers that race for the last room never have more than there is", async () => {
  const user = await makeUser();
  await put(user, "first.txt");
  env.FILE_ENTRIES_PER_USER = 5;
  const results = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => put(user, `${n}.txt`)));
  const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  expect(refused.length).toBe(7);
  for (const reason of refused) expect(reason).toMatchObject({ status: 403, code: "files_limit" });
  expect((await filesSummary(user.id)).entries).toBe(5);
  await expectIndexed(user.id);
});

test("Who reads while others write, delete and sweep gets the old document whole", async () => {
  const user = await makeUser();
  for (let n = 0; n < 6; n++)
    await putFile(user, undefined, { name: `${n}.txt`, bytes: Buffer.alloc(400_000, `${n}`), onExisting: "refuse" });
  const before = await textOf(await exportDocument(user.id));
  const reading = plainText(await openDocument(user.id));
  const begun = await reading.next();
  const entries = entriesOf(JSON.parse(before));
  for (const entry of entries.slice(1)) await deleteEntries(user, [String(entry[13])]);
  await sweepFiles(new Date(Date.now() + 5.9 * 3_600_000));
  expect(Buffer.from(begun.value ?? []).toString() + (await textOf(reading))).toBe(before);
  expect(await pathsOf(user)).toEqual(["~.folder"]);
});
