import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { deleteEntries } from "@/lib/files/delete";
import { IndexKeys } from "@/lib/files/index/entry";
import { rangeStatement, type SortedBy, writeEntryCursor } from "@/lib/files/index/order";
import { type FolderListing, listFolder } from "@/lib/files/list";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { openExplainer } from "@/tests/support/access-paths";
import { idOf } from "@/tests/support/documents";
import { rowsReadBy } from "@/tests/support/statements";
import { makeUser, type TestUser } from "@/tests/support/user";
import { fileEntry, homeOf, importEntries, put } from "./stored";

const MANY = 1_500;
const LIMIT = 50;
/** The document's row, the folder's, its breadcrumbs and the summary, each asked for once or twice. */
const BESIDE = 30;
const SORTS: SortedBy[] = ["name", "type", "size", "edited"];
const LISTING = { sort: "name", descending: false, limit: LIMIT } as const;

let user: TestUser;
const files = ({ username }: TestUser, length: number, nameOf = (n: number) => `file ${n}`) =>
  Array.from({ length }, (_, n) => fileEntry(username, n + 2, nameOf(n), "x".repeat(n % 97)));
beforeAll(async () => {
  user = await makeUser();
  await importEntries(user, files(user, MANY));
});

const idsOf = (page: FolderListing | undefined) => page?.entries.map(({ id }) => id) ?? [];

async function walk(
  options: { sort: SortedBy; descending: boolean },
  from: "" | "last",
): Promise<{ ids: string[]; max: number; min: number }> {
  const pages: string[][] = [];
  const read: number[] = [];
  for (let at: string | null = from; at !== null; ) {
    let page: FolderListing | undefined;
    const cursor: string = at;
    const { rows } = await rowsReadBy(async () => {
      page = await listFolder(user.id, { ...options, limit: 500, at: cursor });
    });
    read.push(rows);
    pages.push(idsOf(page));
    at = (from === "last" ? page?.previous : page?.next) ?? null;
  }
  if (from === "last") pages.reverse();
  return { ids: pages.flat(), max: Math.max(...read), min: Math.min(...read) };
}

async function indexKeysOf({ id }: TestUser): Promise<IndexKeys> {
  const { indexSpace } = await db.fileDocument.findUniqueOrThrow({ where: { userId: id } });
  return new IndexKeys(indexSpace ?? "");
}

describe("a page of a large folder", () => {
  test.each(SORTS)("by %s reads the rows that it shows, wherever it is, forwards and backwards", async (sort) => {
    for (const descending of [false, true]) {
      const forwards = await walk({ sort, descending }, "");
      expect(new Set(forwards.ids).size).toBe(MANY);
      expect(forwards.ids).toHaveLength(MANY);
      const backwards = await walk({ sort, descending }, "last");
      expect(backwards.ids).toEqual(forwards.ids);
      expect(Math.max(forwards.max, backwards.max)).toBeLessThanOrEqual(500 + BESIDE);
      expect(forwards.min).toBeGreaterThanOrEqual(500);
    }
  });

  test("is a range of an index in its order: nothing is sorted, nothing else is looked at", async () => {
    const parentKey = (await indexKeysOf(user)).ofPath(homeOf(user.username));
    if (env.DATABASE_URL) await db.$executeRaw`ANALYZE "FileEntry", "FilePiece"`;
    const [explainer, allowed] = [await openExplainer("chosen by rows"), await openExplainer("what indexes allow")];
    onTestFinished(async () => {
      await explainer.close();
      await allowed.close();
    });
    for (const sort of SORTS)
      for (const descending of [false, true]) {
        // In front of all entries: where few follow, PostgreSQL rightly sorts these few.
        const end = descending ? "ff" : "00";
        const value = sort === "type" ? end : descending ? 1e15 : 0;
        for (const after of [undefined, { rank: 1, value, nameKey: end, rowId: 7, entryId: "" }]) {
          const statement = rangeStatement({ parentKey, sort, descending, rank: 1, after, limit: LIMIT });
          const accesses = await explainer.accessesOf(statement);
          expect(accesses.filter(({ table }) => table === "FileEntry")).toEqual([
            { table: "FileEntry", index: `FileEntry_by_${sort}`, isSearched: true },
          ]);
          // And of each row's piece, that piece's row. There may be so few that PostgreSQL rightly reads all.
          const { accessesOf, isSorting, rowsLookedAt } = accesses.every(({ isSearched }) => isSearched)
            ? explainer
            : allowed;
          expect((await accessesOf(statement)).every(({ isSearched }) => isSearched)).toBe(true);
          expect(await isSorting(statement)).toBe(false);
          if (env.DATABASE_URL) expect(await rowsLookedAt(statement)).toBeLessThanOrEqual(2 * LIMIT);
        }
      }
  });

  test("follows another whatever ids the entries brought", async () => {
    const other = await makeUser();
    const entries = files(other, 7).map((entry, n) => ({ ...entry, id: `it's-#${n}!` }));
    await importEntries(other, entries);
    const ids: string[] = [];
    for (let at: string | null = ""; at !== null && ids.length < 7; ) {
      const page: FolderListing = await listFolder(other.id, { ...LISTING, limit: 3, at });
      ids.push(...idsOf(page));
      at = page.next;
    }
    expect(ids).toEqual(entries.map(({ id }) => id));
  });

  test("is the first one where the address holds no cursor of ours", async () => {
    const page = await listFolder(user.id, LISTING);
    const standing = { rank: 1, value: 0, nameKey: "00", rowId: 1, entryId: "" };
    const ofAnotherOrder = writeEntryCursor({ side: "after", standing, counted: 0 }, "size", true);
    const parts = [
      [2, 0, "", 0, "", 0],
      [1, 0, "zz", 0, "", 0],
      [1, 0, "", 1.5, "", null],
    ];
    const odd = [7, {}, [], ["name"], ...parts.map((part) => ["name", "after", ...part])];
    const nonsense = ["x", "\0' OR 1=1", "1400", "a".repeat(100_000), `${page.next}${"A".repeat(500)}`, ofAnotherOrder];
    for (const at of [...nonsense, ...odd.map((one) => Buffer.from(JSON.stringify(one)).toString("base64url"))])
      expect(idsOf(await listFolder(user.id, { ...LISTING, at }))).toEqual(idsOf(page));
    const beyond = { rank: 1, value: 0, nameKey: "ff".repeat(121), rowId: Number.MAX_SAFE_INTEGER, entryId: idOf(2) };
    const at = writeEntryCursor({ side: "after", standing: beyond, counted: 1e15 }, "name", false);
    const last = await listFolder(user.id, { ...LISTING, at });
    expect([last.entries.length, last.next, last.total, last.first]).toEqual([LIMIT, null, MANY, MANY - LIMIT + 1]);
  });

  test("continues where it was after a change of the entries around it", async () => {
    const someone = await makeUser();
    const entries = files(someone, 30);
    await importEntries(someone, entries);
    const page = await listFolder(someone.id, { ...LISTING, limit: 10 });
    await deleteEntries(someone, [idOf(5)]);
    await put(someone, "another");
    const next = await listFolder(someone.id, { ...LISTING, limit: 10, at: page.next ?? "" });
    expect(idsOf(next)).toEqual(entries.slice(10, 20).map(({ id }) => id));
  });
});

test("a filter skips no more than 10,000 entries for a page, and the next page continues after them", async () => {
  const someone = await makeUser();
  await importEntries(
    someone,
    files(someone, 10_500, (n) => (n === 10_200 ? "zz sought" : `file ${n}`)),
  );
  let page: FolderListing | undefined;
  const { rows } = await rowsReadBy(async () => {
    page = await listFolder(someone.id, { ...LISTING, filter: "SOUGHT" });
  });
  expect(rows).toBeLessThanOrEqual(10_000 + BESIDE);
  expect(page).toMatchObject({ entries: [], isPartial: true, total: null, previous: null });
  const next = await listFolder(someone.id, { ...LISTING, filter: "SOUGHT", at: page?.next ?? "" });
  expect(next).toMatchObject({ entries: [{ id: idOf(10_202) }], isPartial: false, next: null });
  expect((await listFolder(someone.id, { ...LISTING, filter: "SOUGHT", at: "last" })).entries).toHaveLength(1);

  const left = new AbortController();
  const { rows: readBefore } = await rowsReadBy(async () => {
    const listing = listFolder(someone.id, { ...LISTING, filter: "nowhere", signal: left.signal });
    setTimeout(() => left.abort(), 0);
    await expect(listing).rejects.toThrow();
  });
  expect(readBefore).toBeLessThan(10_000);
});

test("listings of one user wait for one another, too many are refused, and nobody else waits for them", async () => {
  const other = await makeUser();
  const many = Promise.allSettled(
    Array.from({ length: 40 }, () => listFolder(user.id, { ...LISTING, filter: "nowhere" })),
  );
  expect((await listFolder(other.id, LISTING)).total).toBe(0);
  const done = await many;
  const refused = done.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  expect(refused.length).toBe(31);
  for (const reason of refused) expect(reason).toMatchObject({ status: 429, code: "rate_limited" });
  const left = AbortSignal.abort();
  const { rows } = await rowsReadBy(() =>
    expect(listFolder(user.id, { ...LISTING, signal: left })).rejects.toMatchObject({ name: "AbortError" }),
  );
  expect(rows).toBe(0);
});
