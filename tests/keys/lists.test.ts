import { describe, expect, test } from "vitest";
import { db, Prisma, sql } from "@/lib/db/client";
import { newId } from "@/lib/ids";
import { createKey } from "@/lib/keys/create";
import { deleteKey } from "@/lib/keys/delete";
import { findKey } from "@/lib/keys/find";
import { addHolder } from "@/lib/keys/holders";
import { leaveKeys } from "@/lib/keys/leave";
import { KEYS_A_PAGE, listKeys } from "@/lib/keys/list";
import { HOLDERS_A_PAGE, listHolders } from "@/lib/keys/list-holders";
import { heldPage } from "@/lib/keys/listing/rows";
import { revealData } from "@/lib/keys/reveal";
import { makeUser, makeUsers, type TestUser } from "../support/user";
import { makeKeys } from "./make-keys";

const asViewer = (user: TestUser, role = "user") => ({ ...user, role });
const list = (user: TestUser, asked: Partial<Parameters<typeof listKeys>[1]> = {}) =>
  listKeys(asViewer(user), { kind: "made", search: "", page: "", ...asked });

async function keyFor(creator: TestUser, holders: TestUser[], name = "") {
  const key = await createKey(asViewer(creator), { data: "secret", price: "-1.5", name });
  const row = await findKey(asViewer(creator), key.id);
  for (const holder of holders) await addHolder(asViewer(creator), row, holder.username);
  return row;
}

describe("the list of keys", () => {
  test("has those of others apart, and nobody's data", async () => {
    const [user, other] = await Promise.all([makeUser(), makeUser()]);
    const own = await keyFor(user, [other], "Own");
    const given = await keyFor(other, [user], "Given");
    await keyFor(other, [], "Hidden");

    const made = await list(user);
    expect(made).toMatchObject({
      made: 1,
      given: 1,
      page: 1,
      keys: [{ id: own.id, name: "Own", price: "-1.5", creator: user.username, holders: 2 }],
    });
    const theirs = await list(user, { kind: "given" });
    expect(theirs).toMatchObject({
      made: 1,
      given: 1,
      keys: [{ id: given.id, name: "Given", creator: other.username, holders: null }],
    });
    expect(JSON.stringify([made, theirs])).not.toContain("secret");
  });

  test("is searched by name, id and maker, and takes what is typed as it is", async () => {
    const [user, other] = await Promise.all([makeUser(), makeUser()]);
    const percent = await keyFor(user, [], "100% sure_thing!");
    const plain = await keyFor(user, [], "Season Pass Ключ");
    const given = await keyFor(other, [user], "Arcade");
    const found = async (search: string, kind: "made" | "given" = "made") =>
      (await list(user, { search, kind })).keys.map(({ id }) => id);

    expect(await found("season")).toEqual([plain.id]);
    expect(await found("Ключ")).toEqual([plain.id]);
    expect(await found(plain.id.slice(3, 20))).toEqual([plain.id]);
    for (const typed of ["%", "_", "!", "100% s", "e_t"]) expect(await found(typed)).toEqual([percent.id]);
    for (const typed of ["%s%p", "x' OR '1'='1", "\\", "a".repeat(5_000)]) expect(await found(typed)).toEqual([]);
    for (const typed of ["", "  ", "\0"]) expect(await found(typed)).toHaveLength(2);
    expect(await found("\ud800")).toEqual([]);
    expect(await found(other.username.toUpperCase(), "given")).toEqual([given.id]);
  });

  test("comes in pages, newest first, and a page past the end is the last", async () => {
    const user = await makeUser();
    const oldestFirst = await makeKeys(user, user, 2 * KEYS_A_PAGE + 5);
    const pages = [];
    for (const page of ["1", "2", "3"]) pages.push(await list(user, { page }));
    const seen = pages.flatMap(({ keys }) => keys);
    expect(new Set(seen.map(({ id }) => id))).toEqual(new Set(oldestFirst));
    expect(seen.map(({ since }) => since.getTime())).toEqual(
      seen.map(({ since }) => since.getTime()).sort((a, b) => b - a),
    );
    expect(await list(user, { page: "99" })).toEqual(pages[2]);
    for (const page of ["0", "-1", "x", "1e9", "9".repeat(30)]) expect((await list(user, { page })).page).toBe(1);
  });
});

describe("the order of the list", () => {
  test("is that of any column, either way round, and stable", async () => {
    const [user, other, third] = await Promise.all([makeUser(), makeUser(), makeUser()]);
    const made = [
      { name: "beta", price: "10", holders: [other] },
      { name: "", price: "9.5", holders: [] },
      { name: "Alpha", price: "-1", holders: [other, third] },
      { name: "gamma", price: "0.05", holders: [] },
    ];
    for (const { name, price, holders } of made) {
      const { id } = await createKey(asViewer(user), { data: "secret", price, name });
      for (const { username } of holders) await addHolder(asViewer(user), await findKey(asViewer(user), id), username);
    }
    const sorted = async (sort: string) => (await list(user, { sort })).keys.map(({ name }) => name);
    expect(await sorted("name")).toEqual(["Alpha", "beta", "gamma", ""]);
    expect(await sorted("-name")).toEqual(["gamma", "beta", "Alpha", ""]);
    expect(await sorted("price")).toEqual(["Alpha", "gamma", "", "beta"]);
    expect(await sorted("-price")).toEqual(["beta", "", "gamma", "Alpha"]);
    expect((await sorted("-holders")).slice(0, 2)).toEqual(["Alpha", "beta"]);
    expect((await sorted("holders")).slice(2)).toEqual(["beta", "Alpha"]);

    const givers = [other, third].sort((a, b) => (a.username < b.username ? -1 : 1));
    for (const giver of givers) await keyFor(giver, [user], giver.username);
    const names = givers.map(({ username }) => username);
    const given = async (sort: string) => (await list(user, { kind: "given", sort })).keys.map(({ name }) => name);
    expect(await given("creator")).toEqual(names);
    expect(await given("-creator")).toEqual(names.toReversed());
  });

  test("has every key once, page by page, where all are alike", async () => {
    const user = await makeUser();
    const ids = await makeKeys(user, user, 2 * KEYS_A_PAGE + 3);
    for (const sort of ["name", "-price", "holders", "-since"]) {
      const seen = [];
      for (const page of ["1", "2", "3"]) seen.push(...(await list(user, { sort, page })).keys.map(({ id }) => id));
      expect(new Set(seen)).toEqual(new Set(ids));
      expect(seen).toHaveLength(ids.length);
    }
  });

  test.each(["", "data", "creator", "--name", "name desc", 'since"; DROP TABLE "Key"', "NAME", "-", "constructor"])(
    "asked for as %j is newest first",
    async (sort) => {
      const user = await makeUser();
      await makeKeys(user, user, 7);
      expect(await list(user, { sort })).toEqual(await list(user));
    },
  );

  test("counts only so many holders of each key that all of them together are bounded", async () => {
    const creator = await makeUser();
    const others = await makeUsers(3);
    const few = await keyFor(creator, others.slice(0, 1), "Few");
    const many = await keyFor(creator, others, "Many");
    const order = { column: "holders", isDescending: true } as const;
    const ids = async (total: number) => {
      const rows = await sql.read(
        heldPage(creator.id, Prisma.empty, { kind: "made", order, total, limit: 10, offset: 0 }),
      );
      return rows.map(({ id }) => id);
    };
    expect(await ids(2)).toEqual([many.id, few.id]);
    // As in a list of so many keys that two holders of each are counted.
    expect(await ids(150_000)).toEqual([few.id, many.id].sort());
  });

  test("puts a stored price that is not a number after all others", async () => {
    const user = await makeUser();
    for (const price of ["2", "10"]) await createKey(asViewer(user), { data: "x", price });
    const broken = await createKey(asViewer(user), { data: "x", price: "1" });
    await db.key.update({ where: { id: broken.id }, data: { price: "about 3" } });
    for (const sort of ["price", "-price"])
      expect((await list(user, { sort })).keys.at(-1)).toMatchObject({ id: broken.id, price: "about 3" });
    await db.key.delete({ where: { id: broken.id } });
  });
});

describe("without a kind, the list", () => {
  test("that has something comes first, one's own if both have", async () => {
    const [user, other] = await Promise.all([makeUser(), makeUser()]);
    const kind = async (search = "") => (await list(user, { kind: undefined, search })).kind;
    expect(await kind()).toBe("made");
    await keyFor(other, [user], "Given");
    expect(await kind()).toBe("given");
    await keyFor(user, [], "Own");
    expect(await kind()).toBe("made");
    expect(await kind("given")).toBe("given");
    expect(await kind("neither")).toBe("made");
  });
});

describe("the list of holders", () => {
  test("comes in pages, can be searched, and is for the key's manager only", async () => {
    const [creator, other] = await Promise.all([makeUser(), makeUser()]);
    const holders = await makeUsers(HOLDERS_A_PAGE + 4);
    const row = await keyFor(creator, holders);
    const first = await listHolders(asViewer(creator), row, { search: "", page: "" });
    expect(first).toMatchObject({ total: HOLDERS_A_PAGE + 5, page: 1 });
    expect(first.holders[0]).toEqual({
      username: creator.username,
      since: row.createdAt,
      until: null,
      isEnded: false,
      isCreator: true,
    });
    const second = await listHolders(asViewer(creator), row, { search: "", page: "2" });
    expect([...first.holders, ...second.holders].map(({ username }) => username).sort()).toEqual(
      [creator, ...holders].map(({ username }) => username).sort(),
    );
    const one = holders[7] as TestUser;
    expect(await listHolders(asViewer(creator), row, { search: one.username.slice(2), page: "" })).toMatchObject({
      total: 1,
      holders: [{ username: one.username }],
    });
    await expect(listHolders(asViewer(other), row, { search: "", page: "" })).rejects.toMatchObject({
      code: "not_creator",
    });
    expect((await listHolders(asViewer(other, "admin"), row, { search: "", page: "" })).total).toBe(HOLDERS_A_PAGE + 5);
  });
});

describe("leaving keys", () => {
  test("gives back those that are held, and counts them", async () => {
    const [user, other] = await Promise.all([makeUser(), makeUser()]);
    const [one, two, deleted] = [await keyFor(other, [user]), await keyFor(other, [user]), await keyFor(other, [user])];
    const foreign = await keyFor(other, []);
    await deleteKey(asViewer(other), deleted);
    expect(await leaveKeys(asViewer(user), [one.id, two.id, deleted.id, foreign.id, newId(), one.id])).toBe(2);
    expect(await list(user, { kind: "given" })).toMatchObject({ given: 0 });
  });

  test("refuses one's own", async () => {
    const user = await makeUser();
    const own = await keyFor(user, []);
    await expect(leaveKeys(asViewer(user), [own.id])).rejects.toMatchObject({ code: "creator_access" });
  });
});

test("data is revealed to holders only, not even to an admin", async () => {
  const [creator, other] = await Promise.all([makeUser(), makeUser()]);
  const row = await keyFor(creator, []);
  expect(await revealData(asViewer(creator), row.id)).toBe("secret");
  await expect(revealData(asViewer(other), row.id)).rejects.toMatchObject({ code: "not_holder" });
  await expect(revealData(asViewer(other, "admin"), row.id)).rejects.toMatchObject({ code: "not_holder" });
});
