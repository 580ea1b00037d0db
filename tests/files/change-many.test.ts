import { beforeAll, expect, test } from "vitest";
import { createFolder } from "@/lib/files/create";
import { deleteEntries } from "@/lib/files/delete";
import { listFolder } from "@/lib/files/list";
import { moveEntries, renameEntry } from "@/lib/files/move";
import { openDocument, plainText } from "@/lib/files/read";
import { restoreEntries } from "@/lib/files/restore";
import { db } from "@/lib/platform/db/client";
import { idOf, textOf } from "@/tests/support/documents";
import { expectIndexed } from "@/tests/support/indexed";
import { rowsReadBy } from "@/tests/support/statements";
import { makeUser, type TestUser } from "@/tests/support/user";
import { documentOf, entriesIn, fileEntry, folderEntry, homeOf, importEntries, put } from "./stored";

const MANY = 1_001;
const LISTING = { sort: "name", descending: false, limit: 50 } as const;

let user: TestUser;
const allIds = Array.from({ length: MANY }, (_, n) => idOf(n + 2));
beforeAll(async () => {
  user = await makeUser();
  await importEntries(
    user,
    allIds.map((_, n) => fileEntry(user.username, n + 2, `file ${n}`)),
  );
});

test("a change of many entries takes at most 1,000 ids, and says so", async () => {
  const ids = allIds.slice(0, 1_001);
  const refused = { status: 400, code: "too_many_entries" };
  await expect(deleteEntries(user, ids)).rejects.toMatchObject(refused);
  await expect(moveEntries(user, ids, { to: undefined, onExisting: "keep" })).rejects.toMatchObject(refused);
  await expect(restoreEntries(user, { version: 1, ids })).rejects.toMatchObject(refused);
});

test("a change of many entries asks about one pass of questions, not some for each", async () => {
  const ids = allIds.slice(0, 1_000);
  let deleted: Awaited<ReturnType<typeof deleteEntries>> | undefined;
  const deletion = await rowsReadBy(async () => {
    deleted = await deleteEntries(user, ids);
  });
  expect(deletion.statements).toBeLessThanOrEqual(200);
  expect((await listFolder(user.id, LISTING)).total).toBe(MANY - 1_000);
  if (deleted) await restoreEntries(user, deleted);
  expect((await listFolder(user.id, LISTING)).total).toBe(MANY);
  const folder = (await createFolder(user, undefined, { name: "target" })).id;
  expect(
    (await rowsReadBy(() => moveEntries(user, ids, { to: folder, onExisting: "refuse" }))).statements,
  ).toBeLessThanOrEqual(300);
  expect((await listFolder(user.id, { ...LISTING, folderId: folder })).total).toBe(1_000);
});

test("changes of one user wait for one another, too many are refused, and what was done is whole", async () => {
  const someone = await makeUser();
  const many = await Promise.allSettled(
    Array.from({ length: 120 }, (_, n) => createFolder(someone, undefined, { name: `folder ${n}` })),
  );
  const refused = many.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  expect(refused.length).toBe(19);
  for (const reason of refused) expect(reason).toMatchObject({ status: 429, code: "too_many_changes" });
  expect((await listFolder(someone.id, { ...LISTING, limit: 500 })).total).toBe(101);
});

test("ids that were chosen to end alike are found as fast as others", async () => {
  const someone = await makeUser();
  const entries = Array.from({ length: 1_000 }, (_, n) => fileEntry(someone.username, n, `file ${n}`));
  await importEntries(
    someone,
    entries.map((entry) => ({ ...entry, id: `${entry.id.slice(2)}00` })),
  );
  const entryBuckets = await db.fileEntry.groupBy({
    by: ["entryBucket"],
    where: { piece: { userId: someone.id } },
    _count: true,
  });
  expect(Math.max(...entryBuckets.map(({ _count }) => _count))).toBeLessThan(50);
});

test("a free name is found with few questions, however many numbered ones are taken", async () => {
  const someone = await makeUser();
  const entries = Array.from({ length: 300 }, (_, n) =>
    fileEntry(someone.username, n + 2, n === 0 ? "same" : `same (${n + 1})`),
  );
  await importEntries(someone, entries);
  let name = "";
  const { statements } = await rowsReadBy(async () => {
    ({ name } = await put(someone, "same.txt", { onExisting: "keep" }));
  });
  expect(statements).toBeLessThan(100);
  const listed = await listFolder(someone.id, { ...LISTING, filter: name });
  expect(name).toBe("same (301).txt");
  expect(listed.entries.filter((entry) => entry.name === name)).toHaveLength(1);
});

test("folders do not lie so deep that a document could not be imported again", async () => {
  const someone = await makeUser();
  const name = "n".repeat(255);
  const folders = Array.from({ length: 230 }, (_, n) =>
    folderEntry(someone.username, n + 2, name, `/${name}`.repeat(n)),
  );
  await importEntries(someone, folders);
  let deepest = idOf(231);
  const deepen = async () => {
    for (let n = 0; n < 10; n++) deepest = (await createFolder(someone, deepest, { name })).id;
  };
  const refusal = { status: 400, code: "invalid_parameter", message: expect.stringMatching(/too deep/) };
  await expect(deepen()).rejects.toMatchObject(refusal);
  const { breadcrumbs } = await listFolder(someone.id, { ...LISTING, folderId: deepest });
  expect(breadcrumbs.length).toBeLessThanOrEqual(101);
});

/** Puts the pieces of the user's document so close that there is no room between any two. */
async function crowd(userId: string): Promise<number> {
  const pieces = await db.filePiece.findMany({
    where: { userId, retiredVersion: null },
    orderBy: { position: "asc" },
    select: { id: true },
  });
  for (const [n, { id }] of pieces.entries())
    await db.filePiece.update({ where: { id }, data: { position: BigInt(n + 1) } });
  return pieces.length;
}

test("where no room is left between pieces, those behind make room, and old readers get theirs whole", async () => {
  const someone = await makeUser();
  const folder = folderEntry(someone.username, 2, "f");
  const files = Array.from({ length: 2_000 }, (_, n) =>
    fileEntry(someone.username, n + 3, `${n}`, `${n} `.repeat(30), "/f"),
  );
  await importEntries(someone, [folder, ...files]);
  // Every name that is longer makes two pieces of most.
  for (const name of ["l".repeat(250), "short"]) {
    const count = await crowd(someone.id);
    const before = await documentOf(someone);
    const old = plainText(await openDocument(someone.id));
    await renameEntry(someone, folder.id, { name });

    expect(await textOf(old)).toBe(before);
    const [, ...after] = await entriesIn(someone);
    expect(after.map((entry) => entry[1])).toEqual([name, ...files.map((one) => one.name)]);
    expect(new Set(after.slice(1).map((entry) => entry[2]))).toEqual(new Set([`${homeOf(someone.username)}/${name}`]));
    await expectIndexed(someone.id);
    const where = { userId: someone.id, retiredVersion: null };
    const pieces = await db.filePiece.findMany({ where, select: { position: true } });
    expect(new Set(pieces.map(({ position }) => position)).size).toBe(pieces.length);
    expect(pieces.length).toBeGreaterThanOrEqual(name === "short" ? count : count + 3);
  }
});
