import { describe, expect, test } from "vitest";
import { KEYS_A_PAGE, listKeys } from "@/lib/keys/list";
import { heldPage } from "@/lib/keys/list-queries";
import { db, Prisma, sql } from "@/lib/platform/db/client";
import { add, makeKeys, newKey, type Person, people, person } from "./keys";

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
