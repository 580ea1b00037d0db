import { afterEach, describe, expect, test } from "vitest";
import { signUp } from "@/lib/accounts/create";
import { createFolder } from "@/lib/files/create";
import { deleteEntries } from "@/lib/files/delete";
import { importDocument } from "@/lib/files/import";
import { renameEntry } from "@/lib/files/move";
import { restoreEntries } from "@/lib/files/restore";
import { addPart, beginUpload } from "@/lib/files/upload";
import { createKey } from "@/lib/keys/create";
import { approveRequest } from "@/lib/link/approve";
import { collectToken } from "@/lib/link/collect";
import { createCode } from "@/lib/link/create";
import { forgetFreeSpace } from "@/lib/platform/db/free-space";
import { env } from "@/lib/platform/env";
import { chunks, smallDocument } from "@/tests/support/documents";
import { newNetwork } from "@/tests/support/request";
import { makeUser, newUsername } from "@/tests/support/user";
import { importEntries, put } from "./stored";

const full = { status: 507, code: "storage_full" };

function limitSpace(bytes: number | undefined) {
  env.KEEP_FREE_BYTES = bytes;
  forgetFreeSpace();
}
afterEach(() => limitSpace(undefined));

describe("where the disk is nearly full", () => {
  test("nothing more is stored as files, while keys and deletions still write", async () => {
    const user = await makeUser();
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
      await expect(storing()).rejects.toMatchObject(full);
    await createKey({ ...user, role: "user" }, { data: "x", price: "1" });
    const deletion = await deleteEntries(user, [id]);
    await expect(restoreEntries(user, deletion)).rejects.toMatchObject(full);

    limitSpace(0);
    await restoreEntries(user, deletion);
    await importEntries(user, []);
  });

  test("no stranger gets a code or an account, while those that were given out link", async () => {
    const [user, network] = [await makeUser(), newNetwork()];
    const agent = { network, program: "curl/8.5.0", webPage: null };
    const { id, code } = await createCode(agent);
    limitSpace(Number.MAX_SAFE_INTEGER);
    await expect(createCode(agent)).rejects.toMatchObject(full);
    const signingUp = signUp({ username: newUsername(), password: "correct horse battery" }, { network });
    await expect(signingUp).rejects.toMatchObject(full);
    await approveRequest({ id: user.id, network }, id);
    expect(await collectToken(agent, code, { secret: null })).toEqual({ token: user.token });
  });

  test("an import that began earlier ends when the disk is full, and leaves nothing", async () => {
    const user = await makeUser();
    async function* slowly() {
      const text = JSON.stringify(smallDocument(user.username, "x".repeat(1_500_000)));
      for await (const chunk of chunks(text, 300_000)) {
        yield chunk;
        limitSpace(Number.MAX_SAFE_INTEGER);
      }
    }
    await expect(importDocument(user, slowly())).rejects.toMatchObject(full);
  });
});
