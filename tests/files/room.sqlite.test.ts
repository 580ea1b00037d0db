import { afterEach, describe, expect, test } from "vitest";
import { env } from "@/lib/env";
import { beginUpload } from "@/lib/files/begin-upload";
import { forgetFreeSpace } from "@/lib/files/change/free-space";
import { createFolder } from "@/lib/files/create-folder";
import { deleteEntries } from "@/lib/files/delete";
import { importDocument } from "@/lib/files/import";
import { putFile } from "@/lib/files/put-file";
import { renameEntry } from "@/lib/files/rename";
import { restoreEntries } from "@/lib/files/restore";
import { addPart } from "@/lib/files/upload";
import { createKey } from "@/lib/keys/create";
import { chunks, smallDocument } from "@/tests/support/documents";
import { makeUser } from "@/tests/support/user";

const small = { name: "a.txt", bytes: Buffer.from("abcdefgh"), onExisting: "keep" } as const;
const upload = { name: "b.txt", totalBytes: 10, isText: true, onExisting: "keep" } as const;
const full = { status: 507, code: "storage_full" };

/** The disk seems to have no more room than this leaves. */
function keepFree(bytes: number | undefined) {
  env.KEEP_FREE_BYTES = bytes;
  forgetFreeSpace();
}
afterEach(() => keepFree(undefined));

describe("where the disk is nearly full", () => {
  test("nothing more is stored as files, while keys and deletions still write", async () => {
    const user = await makeUser();
    const { id } = await putFile(user, undefined, small);
    const { uploadId } = await beginUpload(user, undefined, upload);
    const document = JSON.stringify(smallDocument(user.username));

    keepFree(Number.MAX_SAFE_INTEGER);
    await expect(putFile(user, undefined, small)).rejects.toMatchObject(full);
    await expect(beginUpload(user, undefined, upload)).rejects.toMatchObject(full);
    await expect(addPart(user, uploadId, 0, Buffer.from("0123456789"))).rejects.toMatchObject(full);
    await expect(importDocument(user, chunks(document))).rejects.toMatchObject(full);
    await expect(createFolder(user, undefined, "f")).rejects.toMatchObject(full);
    await expect(renameEntry(user, id, "c.txt")).rejects.toMatchObject(full);
    await createKey({ ...user, role: "user" }, { data: "x", price: "1" });
    const deletion = await deleteEntries(user, [id]);
    await expect(restoreEntries(user, deletion)).rejects.toMatchObject(full);

    keepFree(0);
    await restoreEntries(user, deletion);
    await importDocument(user, chunks(document));
  });

  test("an import that began earlier ends when the disk is full, and leaves nothing", async () => {
    const user = await makeUser();
    async function* slowly() {
      const text = JSON.stringify(smallDocument(user.username, "x".repeat(1_500_000)));
      for await (const chunk of chunks(text, 300_000)) {
        yield chunk;
        keepFree(Number.MAX_SAFE_INTEGER);
      }
    }
    await expect(importDocument(user, slowly())).rejects.toMatchObject(full);
  });
});
