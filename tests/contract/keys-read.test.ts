import { beforeAll, describe, expect, test } from "vitest";
import { ask, origin } from "@/tests/support/http";
import { makeUser, makeUsers, type TestUser } from "@/tests/support/user";
import { expectError, expectSuccess } from "./answers";
import { as, NO_KEY, newKey, share } from "./keys";

let creator: TestUser;
let holder: TestUser;
let stranger: TestUser;
let admin: TestUser;
let id: string;
beforeAll(async () => {
  [creator, holder, stranger] = (await makeUsers(3)) as [TestUser, TestUser, TestUser];
  admin = await makeUser({ role: "admin" });
  id = await newKey(creator, { data: "only for holders", price: "2", name: "Door" });
  await share(creator, id, holder);
});

const check = (username: string, key: string) => ask(`/keys/check/${username}`, { query: { key } });

describe("/keys/get", () => {
  const DATA = "only for holders";
  test.each([
    {
      what: "the creator the data and all holders",
      viewer: () => creator,
      data: DATA,
      holders: () => [creator, holder],
    },
    { what: "a holder the data and itself", viewer: () => holder, data: DATA, holders: () => [holder] },
    { what: "anybody else the key without its data", viewer: () => stranger, data: null, holders: () => [] },
    {
      what: "an admin all holders, and no data",
      viewer: () => admin,
      data: null,
      holders: () => [creator, holder],
    },
  ])("shows $what", async ({ viewer, data, holders }) => {
    const record = expectSuccess(await as(viewer(), `/keys/get/${id}`)).body;
    expect(record).toMatchObject({ key: id, id, name: "Door", price: 2, creator: creator.username, data });
    const owned = data !== null;
    expect(record).toMatchObject({ isCreator: viewer() === creator, owned, owns: owned });
    const time = { time: expect.any(Number) };
    expect(record?.users).toEqual(Object.fromEntries(holders().map(({ username }) => [username, time])));
  });

  test.each([NO_KEY, "x", "A".repeat(32), "%20", "a%2fb", "0".repeat(33), encodeURIComponent("\u{1F511}")])(
    "finds no key %j",
    async (none) => {
      expectError(await as(creator, `/keys/get/${none}`), 404, "key_not_found");
    },
  );

  test("shows its data no more to who has just lost the key", async () => {
    const [owner, former] = (await makeUsers(2)) as [TestUser, TestUser];
    const key = await newKey(owner, { data: "short-lived" });
    await share(owner, key, former);
    expect((await as(former, `/keys/get/${key}`)).body?.data).toBe("short-lived");
    expectSuccess(await as(owner, `/keys/revoke/${key}`, { user: former.username }));
    const { text, body } = await as(former, `/keys/get/${key}`);
    expect(body).toMatchObject({ data: null, owned: false, users: {} });
    expect(text).not.toContain("short-lived");
  });
});

describe("/keys/check", () => {
  test("says whether a user holds a key, to anybody, in any case of the name, and repeats what was asked", async () => {
    for (const [{ username }, held] of [
      [creator, true],
      [holder, true],
      [{ username: holder.username.toUpperCase() }, true],
      [stranger, false],
    ] as const)
      expect(expectSuccess(await check(username, id)).body).toEqual({ owned: held, owns: held, username, key: id });
  });

  test("returns false for users and keys that do not exist", async () => {
    for (const [username, key] of [
      ["nobody-at-all", id],
      [creator.username, NO_KEY],
      [creator.username, "x"],
      ["a".repeat(200), "b".repeat(200)],
      ["ÄÖÜ", "'"],
    ] as const) {
      const { body } = expectSuccess(await check(encodeURIComponent(username), key));
      expect(body).toEqual({ owned: false, owns: false, username, key });
    }
  });
});

test("a deleted key is gone for everybody", async () => {
  const [owner, former] = (await makeUsers(2)) as [TestUser, TestUser];
  const deleted = await newKey(owner);
  await share(owner, deleted, former);
  expectSuccess(await as(owner, `/keys/delete/${deleted}`));
  for (const user of [owner, former]) {
    expectError(await as(user, `/keys/get/${deleted}`), 404, "key_not_found");
    expect((await as(user, "/keys/mine")).list).toEqual([]);
    expect((await check(user.username, deleted)).body?.owned).toBe(false);
  }
});

let user: TestUser;
let ids: string[];
beforeAll(async () => {
  const other = await makeUser();
  user = await makeUser();
  ids = [];
  for (let index = 0; index < 7; index++)
    ids.push(await newKey(index === 3 ? other : user, { data: `secret ${index}`, name: `key ${index}` }));
  await share(other, ids[3] ?? "", user);
});

const keysOf = (list: Record<string, unknown>[]) => list.map(({ key }) => key);

/** Follows the Link headers from the first page on. */
async function readPages(limit: number): Promise<Record<string, unknown>[][]> {
  const pages: Record<string, unknown>[][] = [];
  for (let path: string | undefined = `/keys/mine?limit=${limit}`; path; ) {
    const response = expectSuccess(await ask(path, { headers: { Authorization: `Bearer ${user.token}` } }));
    pages.push(response.list);
    const [, next] = /^<([^>]+)>; rel="next"$/.exec(String(response.headers.link ?? "")) ?? [];
    expect(next ?? origin).toMatch(new RegExp(`^${origin}`));
    path = next?.slice(origin.length);
  }
  return pages;
}

test("lists every key that the caller holds, oldest first, as /keys/get shows it", async () => {
  const { list, headers } = expectSuccess(await as(user, "/keys/mine"));
  expect(keysOf(list)).toEqual(ids);
  expect(list[3]).toMatchObject({ isCreator: false, owned: true, data: "secret 3" });
  for (const record of list) expect(record).toEqual((await as(user, `/keys/get/${record.key}`)).body);
  expect(headers.link).toBeUndefined();
});

test("who holds none gets an empty array", async () => {
  expect(expectSuccess(await as(await makeUser(), "/keys/mine")).text).toBe("[]");
});

test.each([1, 2, 3, 7, 1000])("in pages of %d all of them come, once each and in order", async (limit) => {
  const pages = await readPages(limit);
  expect(keysOf(pages.flat())).toEqual(ids);
  expect(pages.length).toBe(Math.max(1, Math.ceil(ids.length / limit)));
});

const BAD_LIMITS = ["0", "-1", "1001", "1.5", "abc", "", "1e3", "007"].map((limit) => ["limit", limit]);
const BAD_CURSORS = ["", "x", "0", "null", "MTIz", "a".repeat(1000)].map((after) => ["after", after]);
test.each([...BAD_LIMITS, ...BAD_CURSORS])("%s %j is refused by its name", async (name = "", value = "") => {
  const { body } = expectError(await as(user, "/keys/mine", { [name]: value }), 400, "invalid_parameter");
  expect(body?.error).toContain(name);
});

test("the address of the next page holds no token", async () => {
  const { headers } = await ask("/keys/mine", { query: { auth: user.token, limit: 2 } });
  expect(headers.link).toContain('rel="next"');
  expect(headers.link).not.toContain(user.token);
});

test("another user's cursor shows nothing that is not one's own", async () => {
  const { headers } = await as(user, "/keys/mine", { limit: "2" });
  const after = /after=([^&>]+)/.exec(String(headers.link))?.[1];
  const stranger = await makeUser();
  const own = await newKey(stranger);
  expect(keysOf((await as(stranger, "/keys/mine", { after, limit: "5" })).list)).toEqual([own]);
});
