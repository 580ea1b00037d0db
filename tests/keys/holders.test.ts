import { describe, expect, test } from "vitest";
import { findKey } from "@/lib/keys/access";
import { holdingOf } from "@/lib/keys/check";
import { revealData } from "@/lib/keys/data";
import { deleteKey } from "@/lib/keys/delete";
import { addHolder } from "@/lib/keys/grant";
import { HOLDERS_A_PAGE, KEYS_A_PAGE, listHolders, listKeys } from "@/lib/keys/list";
import { addHolderToMany, changeHolders, readNames, revokeHolderOfMany } from "@/lib/keys/many";
import { markNewsSeen, newsFor } from "@/lib/keys/news";
import { recordFor } from "@/lib/keys/record";
import { leaveKeys } from "@/lib/keys/revoke";
import { MAX_NAMES } from "@/lib/platform/bounds";
import { newId } from "@/lib/platform/ids";
import { codeOf } from "@/tests/support/statements";
import { makeUser, makeUsers, newUsername } from "@/tests/support/user";
import { add, claim, claimLinks, heldBy, holdsKey, makeAdmin, newKey, people, person, revoke } from "./keys";

const SECRET = "a secret that no admin reads";
const unchanged = { added: false, changed: false };

describe("an admin", () => {
  test("cannot add itself to a key for its role's sake, and reads nothing of it; nor does a stranger", async () => {
    const [admin, [creator, stranger]] = [await makeAdmin(), await people(2)];
    const key = await newKey(creator, { data: SECRET });
    for (const username of [admin.username, admin.username.toUpperCase()])
      expect(await codeOf(add(admin, key, { username }))).toBe("not_creator");
    for (const one of [admin, stranger]) {
      expect(await codeOf(revealData(one, key))).toBe("not_holder");
      expect(await recordFor(one, await findKey(one, key))).toMatchObject({ data: null, owned: false });
      expect(await heldBy(one)).toEqual([]);
    }
  });

  test("stays the holder that a creator made it, and is a creator like any other", async () => {
    const [admin, creator] = [await makeAdmin(), await person()];
    const key = await newKey(creator, { data: SECRET });
    await add(creator, key, admin);
    expect(await add(admin, key, admin)).toEqual({ user: admin.username, ...unchanged });
    expect(await revealData(admin, key)).toBe(SECRET);
    await revoke(admin, key, admin);
    expect(await codeOf(add(admin, key, admin))).toBe("not_creator");
    expect(await add(admin, await newKey(admin), admin)).toEqual({ user: admin.username, ...unchanged });
  });
});

test("the list of holders comes in pages, can be searched, and is for the key's manager only", async () => {
  const [creator, other] = await people(2);
  const key = await newKey(creator);
  const holders = await makeUsers(HOLDERS_A_PAGE + 4);
  for (const holder of holders) await add(creator, key, holder);
  const row = await findKey(creator, key);
  const list = (page: string, search = "") => listHolders(creator, row, { search, page });
  const [first, second] = [await list(""), await list("2")];
  expect(first).toMatchObject({ total: HOLDERS_A_PAGE + 5, page: 1 });
  const { username } = creator;
  expect(first.holders[0]).toEqual({ username, since: row.createdAt, until: null, isEnded: false, isCreator: true });
  expect([...first.holders, ...second.holders].map((one) => one.username).sort()).toEqual(
    [creator, ...holders].map((one) => one.username).sort(),
  );
  const name = holders[7]?.username ?? "";
  expect(await list("", name.slice(2))).toMatchObject({ total: 1, holders: [{ username: name }] });
  const all = { search: "", page: "" };
  expect(await codeOf(listHolders(other, row, all))).toBe("not_creator");
  expect((await listHolders({ ...other, role: "admin" }, row, all)).total).toBe(HOLDERS_A_PAGE + 5);
});

test("the list of holders names a user called __proto__ like everybody else", async () => {
  const creator = await person();
  const { username } = await makeUser({ username: "__proto__", usernameKey: "__proto__" });
  const key = await newKey(creator);
  await add(creator, key, { username: "__PROTO__" });
  const record = await recordFor(creator, await findKey(creator, key));
  expect(JSON.parse(JSON.stringify(record)).users).toHaveProperty(username, { time: expect.any(Number) });
  expect(Object.hasOwn(record.users, "__proto__")).toBe(true);
});

test("leaving keys gives back those that are held, and counts them", async () => {
  const [user, other] = await people(2);
  const [one, two, deleted] = [await newKey(other), await newKey(other), await newKey(other)];
  for (const key of [one, two, deleted]) await add(other, key, user);
  const row = await findKey(other, deleted);
  await deleteKey(other, row);
  expect(await leaveKeys(user, [one, two, deleted, await newKey(other), newId(), one])).toBe(2);
  expect(await listKeys(user, { kind: "given", search: "", page: "" })).toMatchObject({ received: 0 });
  expect(await codeOf(leaveKeys(user, [await newKey(user)]))).toBe("creator_access");
  // Whoever has just read the key comes too late, too.
  expect(await codeOf(addHolder(other, row, { username: user.username }))).toBe("key_not_found");
  expect(await codeOf(deleteKey(other, row))).toBe("key_not_found");
});

describe("a list of names", () => {
  test.each([
    ["alice, bob;carol dave", ["alice", "bob", "carol", "dave"]],
    ["alice\nbob\r\n\r\n  carol  \n", ["alice", "bob", "carol"]],
    ['\ufeffusername,order\r\n"alice",12\r\nbob,13', ["alice", "bob"]],
    ["alice\nALICE\nbob", ["ALICE", "bob"]],
  ])("is read from %j", (text, names) => expect(readNames(text)).toEqual(names));

  test.each(["", " ,\n;", "username"])("has at least one, unlike %j", (text) =>
    expect(() => readNames(text)).toThrow("at least one"),
  );

  test("has so many at most", () => {
    const names = Array.from({ length: MAX_NAMES }, (_, n) => `user-${n}`);
    expect(readNames(names.join("\n"))).toHaveLength(MAX_NAMES);
    expect(() => readNames([...names, "another"].join("\n"))).toThrow("500 users at a time");
  });

  test("has a result for each, and one that is refused stops no other", async () => {
    const [creator, first, second] = await people(3);
    const key = await newKey(creator);
    const end = new Date((Math.floor(Date.now() / 1000) + 3600) * 1000);
    const names = [first.username.toUpperCase(), "nobody-at-all", "not a name", creator.username, second.username];
    expect(await changeHolders(creator, key, { names, adds: true, end })).toEqual([
      { item: first.username, changed: true },
      { item: "nobody-at-all", changed: false, error: "There is no user with this name." },
      { item: "not a name", changed: false, error: "There is no user with this name." },
      { item: creator.username, changed: false, error: expect.stringContaining("cannot end") },
      { item: second.username, changed: true },
    ]);
    expect(await holdingOf(second.username, key)).toEqual({ until: end });
    expect(await changeHolders(creator, key, { names: [first.username, first.username], adds: false })).toEqual([
      { item: first.username, changed: true },
      { item: first.username, changed: false },
    ]);
    expect(await holdsKey(first.username, key)).toBe(false);
    const [refused] = await changeHolders(second, key, { names: [first.username], adds: true });
    expect(refused?.error).toMatch(/creator/);
  });
});

test("many keys get a holder where that is allowed, and what became of each is told", async () => {
  const [creator, other, holder] = await people(3);
  const [one, held, deleted] = [await newKey(creator), await newKey(creator), await newKey(creator)];
  const [foreign, missing] = [await newKey(other), newId()];
  await add(creator, held, holder);
  await deleteKey(creator, await findKey(creator, deleted));
  const noKey = { changed: false, error: "There is no key with this id." };
  const ids = [deleted, foreign, missing, held, one];
  expect(await addHolderToMany(creator, ids, holder.username.toUpperCase())).toEqual({
    user: holder.username,
    results: [
      { item: deleted, ...noKey },
      { item: foreign, changed: false, error: "Only the key's creator can do this." },
      { item: missing, ...noKey },
      { item: held, changed: false },
      { item: one, changed: true },
    ],
  });
  expect([await holdsKey(holder.username, one), await holdsKey(holder.username, foreign)]).toEqual([true, false]);
});

test("many keys lose a holder; a creator keeps their own", async () => {
  const [creator, holder] = await people(2);
  const [one, unheld] = [await newKey(creator), await newKey(creator)];
  await add(creator, one, holder);
  const { results } = await revokeHolderOfMany(creator, [one, unheld, one], holder.username);
  expect(results.map(({ changed }) => changed)).toEqual([true, false, false]);
  expect(await holdsKey(holder.username, one)).toBe(false);
  expect((await revokeHolderOfMany(creator, [one], creator.username)).results).toEqual([
    { item: one, changed: false, error: "A key's creator always holds it. Delete the key instead." },
  ]);
  expect(await holdsKey(creator.username, one)).toBe(true);
});

test("many keys stay as they are for a user who does not exist, and if they are more than a page shows", async () => {
  const [creator, holder] = await people(2);
  const one = await newKey(creator);
  expect(await codeOf(addHolderToMany(creator, [one], newUsername()))).toBe("user_not_found");
  const many = [one, ...Array.from({ length: KEYS_A_PAGE }, newId)];
  for (const change of [addHolderToMany, revokeHolderOfMany])
    expect(await codeOf(change(creator, many, holder.username))).toBe("invalid_parameter");
  expect(await holdsKey(holder.username, one)).toBe(false);
  const { results } = await addHolderToMany(creator, many.slice(0, KEYS_A_PAGE), holder.username);
  expect(results).toHaveLength(KEYS_A_PAGE);
  expect(await holdsKey(holder.username, one)).toBe(true);
});

const DAY = 86_400_000;

test("a holder is told who gave what, once, and of an end within a week for as long as it is near", async () => {
  const [creator, holder] = await people(2);
  const key = await newKey(creator);
  const end = new Date((Math.floor(Date.now() / 1000) + 10 * 86_400) * 1000);
  expect(await newsFor(holder)).toMatchObject({ received: { total: 0 }, ending: { total: 0 }, claimed: { total: 0 } });
  await add(creator, key, { ...holder, end });
  const news = await newsFor(holder);
  expect(news.received).toMatchObject({ total: 1, items: [{ id: key, name: "Pro licence", user: creator.username }] });
  expect(news.ending.total).toBe(0);
  expect((await newsFor(creator)).received.total).toBe(0);
  await expect(markNewsSeen(holder, new Date(Date.now() + DAY))).rejects.toThrow("future");
  await markNewsSeen(holder, news.at);
  await markNewsSeen(holder, new Date(0));
  expect((await newsFor(holder)).received.total).toBe(0);
  const near = await newsFor(holder, new Date(end.getTime() - 7 * DAY));
  expect(near.ending).toMatchObject({ total: 1, items: [{ id: key, at: end }] });
  expect((await newsFor(holder, end)).ending.total).toBe(0);
  await revoke(creator, key, holder);
  expect((await newsFor(holder, new Date(end.getTime() - DAY))).ending.total).toBe(0);
});

test("a creator is told of claims, the latest five and how many there are, for 30 days", async () => {
  const [creator, ...others] = await people(7);
  const [secret] = await claimLinks(creator, await newKey(creator), { most: 10 });
  for (const one of others) await claim(one, secret);
  const news = await newsFor(creator);
  expect(news.claimed.total).toBe(6);
  expect(news.claimed.items).toHaveLength(5);
  expect((await newsFor(creator, new Date(Date.now() + 31 * DAY))).claimed.total).toBe(0);
  await markNewsSeen(creator, news.at);
  expect((await newsFor(creator)).claimed.total).toBe(0);
});
