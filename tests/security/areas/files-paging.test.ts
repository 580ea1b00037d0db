import { beforeAll, describe, expect, test } from "vitest";
import { bytesStatement, db, Prisma } from "@/lib/db/client";
import { env } from "@/lib/env";
import { createFolder } from "@/lib/files/create-folder";
import { deleteEntries } from "@/lib/files/delete";
import { writeCursor } from "@/lib/files/folder-cursor";
import { rangeStatement, type SortedBy } from "@/lib/files/folder-order";
import { importDocument } from "@/lib/files/import";
import { IndexKeys } from "@/lib/files/index-keys";
import { type FolderListing, listFolder } from "@/lib/files/list";
import { moveEntries } from "@/lib/files/move";
import { putFile } from "@/lib/files/put-file";
import { restoreEntries } from "@/lib/files/restore";
import { chunks, file, idOf, root, values } from "../../support/documents";
import { rowsReadBy } from "../../support/rows-read";
import { makeUser, type TestUser } from "../../support/user";

const MANY = 2_500;
const LIMIT = 50;
/** The document's row, the folder's, its breadcrumbs and the summary, each asked for once or twice. */
const BESIDE = 30;
const SORTS: SortedBy[] = ["name", "type", "size", "edited"];
const ask = { sort: "name", descending: false, limit: LIMIT } as const;

let user: TestUser;
const allIds = Array.from({ length: MANY }, (_, n) => idOf(n + 2));
beforeAll(async () => {
  user = await makeUser();
  const entries = allIds.flatMap((_, n) => values(file(user.username, n + 2, "x".repeat(n % 97))));
  await importDocument(user, chunks(JSON.stringify([...values(root(user.username, allIds)), ...entries])));
});

/** All pages in one direction, and the most rows that one of them read. */
async function walk(options: { sort: SortedBy; descending: boolean }, from: "" | "last"): Promise<{ ids: string[]; most: number; least: number }> {
  const ids: string[] = [];
  let [most, least] = [0, Number.POSITIVE_INFINITY];
  for (let at: string | null = from; at !== null; ) {
    let page: FolderListing | undefined;
    const asked: string = at;
    const { rows } = await rowsReadBy(async () => {
      page = await listFolder(user.id, { ...options, limit: 500, at: asked });
    });
    [most, least] = [Math.max(most, rows), Math.min(least, rows)];
    if (from === "last") ids.unshift(...(page?.entries.map(({ id }) => id) ?? []));
    else ids.push(...(page?.entries.map(({ id }) => id) ?? []));
    at = (from === "last" ? page?.previous : page?.next) ?? null;
  }
  return { ids, most, least };
}

async function keysOf({ id }: TestUser): Promise<IndexKeys> {
  const { indexSpace } = await db.fileDocument.findUniqueOrThrow({ where: { userId: id } });
  return new IndexKeys(indexSpace ?? "");
}

/** What the database does for a statement, line by line. */
async function planOf(statement: Prisma.Sql): Promise<string[]> {
  if (env.DATABASE_URL) await db.$executeRaw`ANALYZE "FileEntry", "FilePiece"`;
  const plan = await bytesStatement(Prisma.sql`${Prisma.raw(env.DATABASE_URL ? "EXPLAIN" : "EXPLAIN QUERY PLAN")} ${statement}`);
  return plan.map((row) => String(row.at(-1)));
}

describe("a page of a large folder", () => {
  test.each(SORTS)("by %s reads the rows that it shows, wherever it is, forwards and backwards", async (sort) => {
    for (const descending of [false, true]) {
      const forwards = await walk({ sort, descending }, "");
      expect(new Set(forwards.ids).size).toBe(MANY);
      expect(forwards.ids).toHaveLength(MANY);
      const backwards = await walk({ sort, descending }, "last");
      expect(backwards.ids).toEqual(forwards.ids);
      expect(Math.max(forwards.most, backwards.most)).toBeLessThanOrEqual(500 + BESIDE);
      expect(forwards.least).toBeGreaterThanOrEqual(500);
    }
  });

  test.each(SORTS)("by %s is a range of an index that is read in its order: nothing is sorted, nothing else is looked at", async (sort) => {
    const parentKey = (await keysOf(user)).ofPath(`origin/(c) users/${user.username}`);
    for (const descending of [false, true])
      for (const after of [undefined, { rank: 1, value: sort === "type" ? "2e" : 40, nameKey: "66", rowId: 7, entryId: "" }]) {
        const statement = rangeStatement({ parentKey, sort, descending, rank: 1, after, limit: LIMIT });
        const all = await planOf(statement);
        // Behind it stands what is asked of each row's piece: that piece's row, by its id.
        const pieces = all.findIndex((line) => /SubPlan|CORRELATED/.test(line));
        expect(all[pieces]).not.toMatch(/hashed/);
        const lines = env.DATABASE_URL ? all.slice(0, pieces) : all;
        expect(lines.filter((line) => line.includes(`FileEntry_by_${sort}`))).toHaveLength(1);
        expect(lines.join("\n")).not.toMatch(/Sort|TEMP B-TREE|Seq Scan|SCAN|Filter/);
      }
  });

  test("is the first one where the address holds no cursor of ours", async () => {
    const { entries, next } = await listFolder(user.id, ask);
    const first = entries.map(({ id }) => id);
    const standing = { rank: 1, value: 0, nameKey: "00", rowId: 1, entryId: "" };
    const ofAnotherOrder = writeCursor({ side: "after", standing, counted: 0 }, "size", true);
    const odd = [
      7,
      {},
      [],
      ["name"],
      ["name", "after", 2, 0, "", 0, "", 0],
      ["name", "after", 1, 0, "zz", 0, "", 0],
      ["name", "after", 1, 0, "", 1.5, "", null],
    ];
    const nonsense = ["x", "\0' OR 1=1", "1400", "a".repeat(100_000), `${next}${"A".repeat(500)}`, ofAnotherOrder];
    for (const at of [...nonsense, ...odd.map((one) => Buffer.from(JSON.stringify(one)).toString("base64url"))])
      expect((await listFolder(user.id, { ...ask, at })).entries.map(({ id }) => id)).toEqual(first);
    const beyond = { rank: 1, value: 0, nameKey: "ff".repeat(121), rowId: Number.MAX_SAFE_INTEGER, entryId: idOf(2) };
    const last = await listFolder(user.id, { ...ask, at: writeCursor({ side: "after", standing: beyond, counted: 1e15 }, "name", false) });
    expect([last.entries.length, last.next, last.total, last.first]).toEqual([LIMIT, null, MANY, MANY - LIMIT + 1]);
  });

  test("goes on where it was after a change of the entries around it", async () => {
    const someone = await makeUser();
    const ids = allIds.slice(0, 30);
    const entries = ids.flatMap((_, n) => values(file(someone.username, n + 2, "x")));
    await importDocument(someone, chunks(JSON.stringify([...values(root(someone.username, ids)), ...entries])));
    const page = await listFolder(someone.id, { ...ask, limit: 10 });
    await deleteEntries(someone, [idOf(5)]);
    await putFile(someone, undefined, { name: "another", bytes: Buffer.from("x"), onExisting: "refuse" });
    const next = await listFolder(someone.id, { ...ask, limit: 10, at: page.next ?? "" });
    expect(next.entries.map(({ id }) => id)).toEqual(ids.slice(10, 20));
  });
});

describe("a filter", () => {
  test("passes over no more than 10,000 entries for a page, and the next page goes on behind them", async () => {
    const someone = await makeUser();
    const ids = Array.from({ length: 10_500 }, (_, n) => idOf(n + 2));
    const entries = ids.flatMap((_, n) => values(file(someone.username, n + 2, "", n === 10_200 ? "zz sought" : `file ${n}`)));
    await importDocument(someone, chunks(JSON.stringify([...values(root(someone.username, ids)), ...entries])));
    let page: FolderListing | undefined;
    const { rows } = await rowsReadBy(async () => {
      page = await listFolder(someone.id, { ...ask, filter: "SOUGHT" });
    });
    expect(rows).toBeLessThanOrEqual(10_000 + BESIDE);
    expect(page).toMatchObject({ entries: [], isPartial: true, total: null, previous: null });
    const next = await listFolder(someone.id, { ...ask, filter: "SOUGHT", at: page?.next ?? "" });
    expect(next).toMatchObject({ entries: [{ id: idOf(10_202) }], isPartial: false, next: null });
    const back = await listFolder(someone.id, { ...ask, filter: "SOUGHT", at: "last" });
    expect(back.entries).toHaveLength(1);

    const left = new AbortController();
    let asked = 0;
    const { rows: readBefore } = await rowsReadBy(async () => {
      const listing = listFolder(someone.id, { ...ask, filter: "nowhere", signal: left.signal });
      setTimeout(() => left.abort(), 0);
      await expect(listing).rejects.toThrow();
      asked++;
    });
    expect(asked).toBe(1);
    expect(readBefore).toBeLessThan(10_000);
  });
});

test("listings of one user wait for one another, too many are refused, and nobody else waits for them", async () => {
  const other = await makeUser();
  const many = Promise.allSettled(Array.from({ length: 40 }, () => listFolder(user.id, { ...ask, filter: "nowhere" })));
  const others = await listFolder(other.id, ask);
  expect(others.total).toBe(0);
  const done = await many;
  const refused = done.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  expect(refused.length).toBe(31);
  for (const reason of refused) expect(reason).toMatchObject({ status: 429, code: "too_many_listings" });
  const left = AbortSignal.abort();
  const { rows } = await rowsReadBy(() => expect(listFolder(user.id, { ...ask, signal: left })).rejects.toMatchObject({ name: "AbortError" }));
  expect(rows).toBe(0);
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
  const many = await Promise.allSettled(Array.from({ length: 120 }, (_, n) => createFolder(someone, undefined, `folder ${n}`)));
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
  const buckets = await bytesStatement(Prisma.sql`
    SELECT count(*) FROM "FileEntry" e JOIN "FilePiece" p ON p."id" = e."pieceId" WHERE p."userId" = ${someone.id} GROUP BY e."entryBucket"`);
  expect(Math.max(...buckets.map(([count]) => Number(count)))).toBeLessThan(100);
});

test("a free name is found with few questions, however many numbered ones are taken", async () => {
  const someone = await makeUser();
  const ids = Array.from({ length: 3_000 }, (_, n) => idOf(n + 2));
  const entries = ids.flatMap((_, n) => values(file(someone.username, n + 2, "", n === 0 ? "same" : `same (${n + 1})`)));
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
