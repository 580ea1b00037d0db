import { beforeAll, describe, expect, test } from "vitest";
import { KEYS_A_PAGE, listKeys } from "@/lib/keys/list";
import { heldPage } from "@/lib/keys/list-queries";
import { keysOf } from "@/lib/keys/mine";
import { ALL_KEYS_A_PAGE, type FindBy, keyFacts, listAllKeys } from "@/lib/keys/operator";
import type { KeyRecord } from "@/lib/keys/schema";
import { db, Prisma, sql } from "@/lib/platform/db/client";
import { insert } from "@/lib/platform/db/statement";
import { newId } from "@/lib/platform/ids";
import { sized } from "@/tests/support/size";
import { statementsOf } from "@/tests/support/statements";
import { makeUsers } from "@/tests/support/user";
import { add, makeKeys, newKey, type People, type Person, people, person } from "./keys";

const list = (user: Person, options: Partial<Parameters<typeof listKeys>[1]> = {}) =>
  listKeys(user, { kind: "made", search: "", page: "", ...options });

async function keyFor(creator: Person, holders: Person[], { name, price = "-1.5" }: { name: string; price?: string }) {
  const key = await newKey(creator, { name, price });
  for (const holder of holders) await add(creator, key, holder);
  return key;
}

describe("the list of keys", () => {
  test("has those of others apart, and nobody's data", async () => {
    const [user, other] = await people(2);
    const own = await keyFor(user, [other], { name: "Own" });
    const received = await keyFor(other, [user], { name: "Given" });
    await keyFor(other, [], { name: "Hidden" });
    const [created, theirs] = [await list(user), await list(user, { kind: "given" })];
    expect(created).toMatchObject({
      created: 1,
      received: 1,
      page: 1,
      keys: [{ id: own, name: "Own", price: "-1.5", creator: user.username, holders: 2 }],
    });
    expect(theirs).toMatchObject({
      created: 1,
      received: 1,
      keys: [{ id: received, name: "Given", creator: other.username, holders: null }],
    });
    expect(JSON.stringify([created, theirs])).not.toContain("secret");
  });

  test("is searched by name, id and maker, and takes what is typed as it is", async () => {
    const [user, other] = await people(2);
    const percent = await keyFor(user, [], { name: "100% sure_thing!" });
    const plain = await keyFor(user, [], { name: "Season Pass Ключ" });
    const received = await keyFor(other, [user], { name: "Arcade" });
    const idsOf = async (search: string, kind: "made" | "given" = "made") =>
      (await list(user, { search, kind })).keys.map(({ id }) => id);
    for (const text of ["season", "Ключ", plain.slice(3, 20)]) expect(await idsOf(text)).toEqual([plain]);
    for (const text of ["%", "_", "!", "100% s", "e_t"]) expect(await idsOf(text)).toEqual([percent]);
    for (const text of ["%s%p", "x' OR '1'='1", "\\", "\ud800", "a".repeat(5_000)])
      expect(await idsOf(text)).toEqual([]);
    for (const text of ["", "  ", "\0"]) expect(await idsOf(text)).toHaveLength(2);
    expect(await idsOf(other.username.toUpperCase(), "given")).toEqual([received]);
  });

  test("comes in pages, newest first, with every key once where all are alike; past the end is the last", async () => {
    const user = await person();
    const ids = await makeKeys(user, user, { count: 2 * KEYS_A_PAGE + 5 });
    for (const sort of ["", "name", "-price", "holders", "-since"]) {
      const pages = [];
      for (const page of ["1", "2", "3"]) pages.push(await list(user, { sort, page }));
      const seen = pages.flatMap(({ keys }) => keys);
      expect(seen.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
      const since = seen.map((key) => key.since.getTime());
      if (sort === "") expect(since).toEqual(since.toSorted((a, b) => b - a));
      expect(await list(user, { sort, page: "99" })).toEqual(pages[2]);
    }
    for (const page of ["0", "-1", "x", "1e9", "9".repeat(30)]) expect((await list(user, { page })).page).toBe(1);
  });

  test("without a kind is that which has something, one's own if both have", async () => {
    const [user, other] = await people(2);
    const kind = async (search = "") => (await list(user, { kind: undefined, search })).kind;
    expect(await kind()).toBe("made");
    await keyFor(other, [user], { name: "Given" });
    expect(await kind()).toBe("given");
    await keyFor(user, [], { name: "Own" });
    expect([await kind(), await kind("given"), await kind("neither")]).toEqual(["made", "given", "made"]);
  });
});

describe("the order of the list", () => {
  test("is that of any column, either way round, and stable", async () => {
    const [user, other, third] = await people(3);
    await keyFor(user, [other], { name: "beta", price: "10" });
    await keyFor(user, [], { name: "", price: "9.5" });
    await keyFor(user, [other, third], { name: "Alpha", price: "-1" });
    await keyFor(user, [], { name: "gamma", price: "0.05" });
    const sorted = async (sort: string, kind: "made" | "given" = "made") =>
      (await list(user, { kind, sort })).keys.map(({ name }) => name);
    expect(await sorted("name")).toEqual(["Alpha", "beta", "gamma", ""]);
    expect(await sorted("-name")).toEqual(["gamma", "beta", "Alpha", ""]);
    expect(await sorted("price")).toEqual(["Alpha", "gamma", "", "beta"]);
    expect(await sorted("-price")).toEqual(["beta", "", "gamma", "Alpha"]);
    expect((await sorted("-holders")).slice(0, 2)).toEqual(["Alpha", "beta"]);
    expect((await sorted("holders")).slice(2)).toEqual(["beta", "Alpha"]);
    for (const giver of [other, third]) await keyFor(giver, [user], { name: giver.username });
    const names = [other.username, third.username].sort();
    expect(await sorted("creator", "given")).toEqual(names);
    expect(await sorted("-creator", "given")).toEqual(names.toReversed());
  });

  test("asked for as anything else is newest first", async () => {
    const user = await person();
    await makeKeys(user, user, { count: 7 });
    const newestFirst = await list(user);
    for (const sort of [..."|data|creator|--name|name desc|NAME|-|constructor".split("|"), 'since"; DROP TABLE "Key"'])
      expect(await list(user, { sort }), sort).toEqual(newestFirst);
  });

  test("counts only so many holders of each key that all of them together are bounded", async () => {
    const [creator, ...others] = await people(4);
    const few = await keyFor(creator, others.slice(0, 1), { name: "Few" });
    const many = await keyFor(creator, others, { name: "Many" });
    const order = { column: "holders", isDescending: true } as const;
    const ids = async (total: number) => {
      const page = { kind: "made", order, total, limit: 10, offset: 0 } as const;
      return (await sql.read(heldPage(creator.id, Prisma.empty, page))).map(({ id }) => id);
    };
    expect(await ids(2)).toEqual([many, few]);
    // As in a list of so many keys that two holders of each are counted.
    expect(await ids(150_000)).toEqual([few, many].sort());
  });

  test("puts a stored price that is not a number after all others", async () => {
    const user = await person();
    for (const price of ["2", "10"]) await newKey(user, { price });
    const id = await newKey(user);
    await db.key.update({ where: { id }, data: { price: "about 3" } });
    for (const sort of ["price", "-price"])
      expect((await list(user, { sort })).keys.at(-1)).toMatchObject({ id, price: "about 3" });
    await db.key.delete({ where: { id } });
  });
});

async function page(viewer: Person, limit?: number, after?: string) {
  const { pages, next } = await keysOf(viewer, { limit, after });
  const records: KeyRecord[] = [];
  for await (const some of pages) records.push(...some);
  return { records, next };
}

describe("keys that a user holds", () => {
  test("come whole and oldest first, in pages the same, and with two statements for so many at a time", async () => {
    const user = await person();
    const count = sized(1_000, 10_000);
    await makeKeys(user, user, { count });
    let records: KeyRecord[] = [];
    const statements = await statementsOf(async () => {
      records = (await page(user)).records;
    });
    expect(records).toHaveLength(count);
    // 16 keys, 64, and then 250 at a time, each with their holders.
    expect(statements).toHaveLength(2 * (2 + Math.ceil((count - 80 + 1) / 250)));
    const order = records.map(({ createdAt, id }) => `${createdAt} ${id}`);
    expect(order).toEqual(order.toSorted());
    expect(Object.keys(records[count - 1]?.users ?? {})).toEqual([user.username]);
    const paged: KeyRecord[] = [];
    let after: string | undefined;
    do {
      const { records, next } = await page(user, 299, after);
      paged.push(...records);
      after = next;
    } while (after);
    expect(paged).toEqual(records);
    // Where the next page begins, and two pages with their holders.
    expect(await statementsOf(() => page(user, 20))).toHaveLength(5);
  });

  test("are read a megabyte of data at a time", async () => {
    const user = await person();
    await makeKeys(user, user, { count: 100, data: "x".repeat(30_000) });
    const sizes: number[] = [];
    for await (const page of (await keysOf(user, {})).pages) sizes.push(page.length);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(100);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(33);
  });

  test("of others are listed without their holders, after a cursor whose key is deleted, too", async () => {
    const [user, other] = await people(2);
    await makeKeys(other, user, { count: 9 });
    const first = await page(user, 4);
    const rest = await page(user, 5, first.next);
    await db.key.delete({ where: { id: first.records[3]?.id } });
    expect(await page(user, 5, first.next)).toEqual(rest);
    for (const { data, isCreator, users } of rest.records)
      expect([data, isCreator, Object.keys(users)]).toEqual(["data", false, [user.username]]);
  });

  test("are listed with all of their holders, thousands too", async () => {
    const user = await person();
    // As many as the first statement reads, and together more holders than one reads.
    const ids = await makeKeys(user, user, { count: 16 });
    const since = new Date();
    const holders = await makeUsers(330);
    for (const keyId of ids)
      await sql.batch([
        insert(
          "Holder",
          holders.map(({ id }) => ({ keyId, userId: id, since, keyCreatedAt: since })),
        ),
      ]);
    const names = [user, ...holders].map(({ username }) => username).sort();
    for (const { users } of (await page(user)).records) expect(Object.keys(users).sort()).toEqual(names);
  });
});

const SECRET = `marked secret ${newId()}`;
const prefix = newId().slice(0, 8);
let [creator, holder] = [] as unknown as People;
const ids: string[] = [];

beforeAll(async () => {
  [creator, holder] = await people(2);
  for (let n = 0; n < 60; n++)
    ids.push(await newKey(creator, { data: SECRET, name: `${prefix.toUpperCase()} key ${n % 7}` }));
  for (const id of ids.slice(0, 30)) await add(creator, id, holder);
});

async function all(by: FindBy, text: string) {
  const keys = [];
  for (let cursor: string | undefined; ; ) {
    const page = await listAllKeys(by, text, cursor);
    keys.push(...(page?.keys ?? []));
    expect(page?.keys.length).toBeLessThanOrEqual(ALL_KEYS_A_PAGE);
    if (!page?.next) return keys;
    cursor = page.next;
  }
}

describe("keys are found", () => {
  test("by how their name begins, in any case, in the order of names, each once", async () => {
    const keys = await all("name", `${prefix} KEY`);
    expect(new Set(keys.map(({ id }) => id))).toEqual(new Set(ids));
    expect(keys.map(({ name }) => name)).toEqual(keys.map(({ name }) => name).sort());
    expect((await all("name", `${prefix} key 3`)).length).toBe(9);
    expect(await all("name", `key ${prefix}`)).toEqual([]);
  });

  test("by their creator and by a holder, latest first", async () => {
    const keys = await all("creator", creator.username.toUpperCase());
    expect(new Set(keys.map(({ id }) => id))).toEqual(new Set(ids));
    const times = keys.map(({ createdAt }) => createdAt.getTime());
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(new Set((await all("holder", holder.username)).map(({ id }) => id))).toEqual(new Set(ids.slice(0, 30)));
    expect(await listAllKeys("creator", "nobody-at-all")).toBeNull();
  });

  test("without their data, which nothing of it holds", async () => {
    const facts = JSON.stringify([await listAllKeys("creator", creator.username), await keyFacts(ids[0] ?? "")]);
    expect(facts).not.toContain(SECRET);
    expect(await keyFacts(ids[0] ?? "")).toMatchObject({
      creator: creator.username,
      bytes: Buffer.byteLength(SECRET),
      holders: 2,
    });
    expect(await keyFacts(newId())).toBeNull();
  });

  test("with whatever somebody types", async () => {
    for (const text of ["%", "_", "'", "\\", '"', "\0", "\ud800", "é", "🔑", "x".repeat(5_000), "a\u{10ffff}"]) {
      for (const by of ["name", "creator", "holder"] as const) await listAllKeys(by, text);
      const matches = (await listAllKeys("name", `${prefix}${text}`))?.keys ?? [];
      expect([text, matches.length]).toEqual([text, text === "\0" ? ALL_KEYS_A_PAGE : 0]);
    }
  });

  test("from the first page on with a cursor of another list", async () => {
    const first = await listAllKeys("creator", creator.username);
    const written = ['["1","2"]', `["NaN","${"0".repeat(32)}"]`, `["${"9".repeat(99)}","${"0".repeat(32)}"]`];
    const cursors = ["", "x", "bnVsbA", "W10", "A".repeat(100_000), ...written.map((text) => btoa(text))];
    for (const cursor of cursors) expect(await listAllKeys("creator", creator.username, cursor)).toEqual(first);
  });
});
