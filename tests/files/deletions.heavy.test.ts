import { beforeEach, expect, test } from "vitest";
import { deleteEntries } from "@/lib/files/delete";
import { listDeletions, MOST_DELETIONS, restoreDeletion } from "@/lib/files/deletions";
import { importDocument } from "@/lib/files/import";
import { filesSummary } from "@/lib/files/summary";
import { chunks, file, idOf, root, values } from "@/tests/support/documents";
import { makeUser, type TestUser } from "@/tests/support/user";

let user: TestUser;
beforeEach(async () => {
  user = await makeUser();
});

test("lists at most fifty, the newest ones", async () => {
  const ids = Array.from({ length: MOST_DELETIONS + 2 }, (_, n) => idOf(n + 2));
  const files = ids.map((_, n) => file(user.username, n + 2, ""));
  await importDocument(user, chunks(JSON.stringify([root(user.username), ...files].flatMap(values))));
  for (const id of ids) await deleteEntries(user, [id]);
  const listed = await listDeletions(user);
  expect(listed).toHaveLength(MOST_DELETIONS);
  expect(listed[0]?.names[0]?.name).toBe(`file ${MOST_DELETIONS + 3}.txt`);
});

test("a folder of thousands of entries is listed as one, and restored whole", async () => {
  const home = `origin/(c) users/${user.username}`;
  const folder = { type: ".folder", name: "Box", location: home, data: [], id: idOf(2) };
  const inside = Array.from({ length: 3_000 }, (_, n) => ({
    ...file(user.username, n + 3, ""),
    location: `${home}/Box`,
  }));
  await importDocument(user, chunks(JSON.stringify([root(user.username), folder, ...inside].flatMap(values))));
  await deleteEntries(user, [idOf(2)]);
  const [deletion] = await listDeletions(user);
  expect(deletion).toMatchObject({ entries: 3_001, names: [{ name: "Box" }], more: 0 });
  await restoreDeletion(user, deletion?.version ?? 0);
  expect((await filesSummary(user.id)).entries).toBe(3_002);
});
