import { expect, inject, test } from "vitest";
import { createFolder } from "@/lib/files/create";
import { deleteEntries } from "@/lib/files/delete";
import { moveEntries, renameEntry } from "@/lib/files/move";
import { restoreEntries } from "@/lib/files/restore";
import { runScript } from "@/tests/support/admin";
import { expectIndexed } from "@/tests/support/indexed";
import { sized } from "@/tests/support/size";
import { makeUser } from "@/tests/support/user";
import { entriesIn, put } from "./stored";

const COUNT = sized(10, 20);

test("concurrent writers lose no changes, in one process and in two", async () => {
  const user = await makeUser();
  const others = inject("database").kind === "postgresql" ? ["b", "c"] : [];
  const elsewhere = others.map((prefix) =>
    runScript("tests/support/write-some.ts", [user.id, user.username, prefix, String(COUNT)], process.env),
  );
  const here = Array.from({ length: COUNT }, (_, n) => put(user, `a${n}.txt`));
  await Promise.all([...here, ...elsewhere]);

  const [root, ...files] = await entriesIn(user);
  const expected = ["a", ...others].flatMap((prefix) => Array.from({ length: COUNT }, (_, n) => `${prefix}${n}.txt`));
  expect(files.map((file) => file[3]).sort()).toEqual(expected.sort());
  expect([...((root?.[3] ?? []) as string[])].sort()).toEqual(files.map((file) => file[13]).sort());
  await expectIndexed(user.id);
});

test("a folder that is moved, deleted and brought back while files come in leaves none without a folder", async () => {
  const user = await makeUser();
  const [one, two] = [
    await createFolder(user, undefined, { name: "one" }),
    await createFolder(user, undefined, { name: "two" }),
  ];
  const puts = Array.from({ length: COUNT }, (_, n) =>
    put(user, `${n}.txt`, { folder: one.id }).catch((error) => {
      // While the folder is deleted.
      expect(error).toMatchObject({ status: 404 });
      return undefined;
    }),
  );
  const changes = async () => {
    await renameEntry(user, one.id, { name: "uno" });
    await moveEntries(user, [one.id], { to: two.id, onExisting: "refuse" });
    await restoreEntries(user, await deleteEntries(user, [two.id]));
  };
  const [created] = await Promise.all([Promise.all(puts), changes()]);

  const entries = await entriesIn(user);
  const folders = entries.filter(([type]) => type === ".folder");
  const lists = new Map(folders.map((folder) => [`${folder[2]}/${folder[1]}`, folder[3] as string[]]));
  for (const entry of entries.slice(1)) expect(lists.get(String(entry[2]))).toContain(entry[13]);
  expect(entries.length - folders.length).toBe(created.filter((file) => file !== undefined).length);
  expect([...lists.values()].flat().length).toBe(entries.length - 1);
  await expectIndexed(user.id);
});
