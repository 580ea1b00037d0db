import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { createFolder } from "@/lib/files/create-folder";
import { deleteEntries } from "@/lib/files/delete";
import { importDocument } from "@/lib/files/import";
import { listFolder } from "@/lib/files/list";
import { moveEntries } from "@/lib/files/move";
import { putFile } from "@/lib/files/put-file";
import { restoreEntries } from "@/lib/files/restore";
import { chunks, file, idOf, root, values } from "@/tests/support/documents";
import { rowsReadBy } from "@/tests/support/rows-read";
import { makeUser, type TestUser } from "@/tests/support/user";

const MANY = 1_100;
const ask = { sort: "name", descending: false, limit: 50 } as const;

let user: TestUser;
const allIds = Array.from({ length: MANY }, (_, n) => idOf(n + 2));
beforeAll(async () => {
  user = await makeUser();
  const entries = allIds.flatMap((_, n) => values(file(user.username, n + 2, "x")));
  await importDocument(user, chunks(JSON.stringify([...values(root(user.username, allIds)), ...entries])));
});

describe("a change of many entries", () => {
  test("takes at most 1,000 ids, and says so", async () => {
    const ids = allIds.slice(0, 1_001);
    const refused = { status: 400, code: "too_many_entries" };
    await expect(deleteEntries(user, ids)).rejects.toMatchObject(refused);
    await expect(moveEntries(user, ids, undefined, "keep")).rejects.toMatchObject(refused);
    await expect(restoreEntries(user, { version: 1, ids })).rejects.toMatchObject(refused);
  });

  test("asks about one pass of questions, not some for each", async () => {
    const ids = allIds.slice(0, 1_000);
    let deleted: Awaited<ReturnType<typeof deleteEntries>> | undefined;
    const deletion = await rowsReadBy(async () => {
      deleted = await deleteEntries(user, ids);
    });
    expect(deletion.statements).toBeLessThanOrEqual(200);
    expect((await listFolder(user.id, ask)).total).toBe(MANY - 1_000);
    if (deleted) await restoreEntries(user, deleted);
    expect((await listFolder(user.id, ask)).total).toBe(MANY);
    const folder = (await createFolder(user, undefined, "target")).id;
    const moving = await rowsReadBy(() => moveEntries(user, ids, folder, "refuse"));
    expect(moving.statements).toBeLessThanOrEqual(300);
    expect((await listFolder(user.id, { ...ask, folderId: folder })).total).toBe(1_000);
  });
});

test("changes of one user wait for one another, too many are refused, and what was done is whole", async () => {
  const someone = await makeUser();
  const many = await Promise.allSettled(
    Array.from({ length: 120 }, (_, n) => createFolder(someone, undefined, `folder ${n}`)),
  );
  const refused = many.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  expect(refused.length).toBe(19);
  for (const reason of refused) expect(reason).toMatchObject({ status: 429, code: "too_many_changes" });
  expect((await listFolder(someone.id, { ...ask, limit: 500 })).total).toBe(101);
});

test("ids that were chosen to end alike are found as fast as others", async () => {
  const someone = await makeUser();
  const ids = Array.from({ length: 3_000 }, (_, n) => `${(n + 2).toString(16).padStart(30, "0")}00`);
  const entries = ids.flatMap((id, n) => values({ ...file(someone.username, n + 2, ""), id }));
  await importDocument(someone, chunks(JSON.stringify([...values(root(someone.username, ids)), ...entries])));
  const entryBuckets = await db.fileEntry.groupBy({
    by: ["entryBucket"],
    where: { piece: { userId: someone.id } },
    _count: true,
  });
  expect(Math.max(...entryBuckets.map(({ _count }) => _count))).toBeLessThan(100);
});

test("a free name is found with few questions, however many numbered ones are taken", async () => {
  const someone = await makeUser();
  const ids = Array.from({ length: 3_000 }, (_, n) => idOf(n + 2));
  const entries = ids.flatMap((_, n) =>
    values(file(someone.username, n + 2, "", n === 0 ? "same" : `same (${n + 1})`)),
  );
  await importDocument(someone, chunks(JSON.stringify([...values(root(someone.username, ids)), ...entries])));
  let name = "";
  const { statements } = await rowsReadBy(async () => {
    ({ name } = await putFile(someone, undefined, { name: "same.txt", bytes: Buffer.from("x"), onExisting: "keep" }));
  });
  expect(statements).toBeLessThan(100);
  const listed = await listFolder(someone.id, { ...ask, filter: name });
  expect(name).toBe("same (3001).txt");
  expect(listed.entries.filter((entry) => entry.name === name)).toHaveLength(1);
});
