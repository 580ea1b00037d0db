import { afterEach, expect, test } from "vitest";
import { forgetFreeSpace } from "@/lib/db/free-space";
import { env } from "@/lib/env";
import { putFile } from "@/lib/files/put-file";
import { makeUser } from "@/tests/support/user";

const small = { name: "a.txt", bytes: Buffer.from("abcdefgh"), onExisting: "keep" } as const;

afterEach(() => {
  env.KEEP_FREE_BYTES = undefined;
  forgetFreeSpace();
});

test("PostgreSQL's disk is not ours to look at", async () => {
  env.KEEP_FREE_BYTES = Number.MAX_SAFE_INTEGER;
  forgetFreeSpace();
  await expect(putFile(await makeUser(), undefined, small)).resolves.toMatchObject({ id: expect.any(String) });
});
