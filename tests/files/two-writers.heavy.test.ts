import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { createFolder } from "@/lib/files/create-folder";
import { deleteEntries } from "@/lib/files/delete";
import { exportDocument } from "@/lib/files/export";
import { moveEntries } from "@/lib/files/move";
import { putFile } from "@/lib/files/put-file";
import { renameEntry } from "@/lib/files/rename";
import { restoreEntries } from "@/lib/files/restore";
import { textOf } from "../support/documents";
import { entriesOf, expectIndexed } from "../support/indexed";
import { sized } from "../support/size";
import { makeUser, type TestUser } from "../support/user";

const COUNT = sized(10, 20);

async function documentOf(user: TestUser): Promise<unknown[][]> {
  return entriesOf(JSON.parse(await textOf(await exportDocument(user.id))));
}

test("Concurrent writers lose no changes, in one process and in two", async () => {
  const user = await makeUser();
  const others = inject("database").kind === "postgresql" ? ["b", "c"] : [];
  const elsewhere = others.map((prefix) =>
    promisify(execFile)(process.execPath, [
      "--import",
      "tsx",
      "tests/support/write-some.ts",
      user.id,
      user.username,
      prefix,
      String(COUNT),
    ]),
  );
  const here = Array.from({ length: COUNT }, (_, n) =>
    putFile(user, undefined, { name: `a${n}.txt`, bytes: Buffer.from(`a${n}.txt`), onExisting: "refuse" }),
  );
  await Promise.all([...here, ...elsewhere]);

  const [root, ...files] = await documentOf(user);
  const expected = ["a", ...others].flatMap((prefix) => Array.from({ length: COUNT }, (_, n) => `${prefix}${n}.txt`));
  expect(files.map((file) => file[3]).sort()).toEqual(expected.sort());
  expect([...((root?.[3] ?? []) as string[])].sort()).toEqual(files.map((file) => file[13]).sort());
  await expectIndexed(user.id);
});

test("A folder that is moved, deleted and brought back while files come in leaves none without a folder", async () => {
  const user = await makeUser();
  const [one, two] = [await createFolder(user, undefined, "one"), await createFolder(user, undefined, "two")];
  const put = Array.from({ length: COUNT }, (_, n) =>
    putFile(user, one.id, { name: `${n}.txt`, bytes: Buffer.from("x"), onExisting: "refuse" }).catch(() => undefined),
  );
  const changes = async () => {
    await renameEntry(user, one.id, "uno");
    await moveEntries(user, [one.id], two.id, "refuse");
    await restoreEntries(user, await deleteEntries(user, [two.id]));
  };
  const [made] = await Promise.all([Promise.all(put), changes()]);

  const entries = await documentOf(user);
  const paths = new Map(
    entries
      .filter(([type]) => type === ".folder")
      .map((folder) => [`${folder[2]}/${folder[1]}`, folder[3] as string[]]),
  );
  for (const [, , location, , , , , , , , , , , id] of entries.slice(1))
    expect(paths.get(String(location))).toContain(id);
  expect(entries.filter(([type]) => type === ".txt").length).toBe(made.filter((file) => file !== undefined).length);
  expect([...paths.values()].flat().length).toBe(entries.length - 1);
  await expectIndexed(user.id);
});
