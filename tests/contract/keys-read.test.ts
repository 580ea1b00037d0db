import { beforeAll, describe, expect, test } from "vitest";
import { ask } from "@/tests/support/http";
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

const get = async (caller: TestUser) => expectSuccess(await as(caller, `/keys/get/${id}`)).body;
const check = (username: string, key: string) => ask(`/keys/check/${username}`, { query: { key } });
const time = { time: expect.any(Number) };

describe("/keys/get", () => {
  test("shows the creator the data and all holders", async () => {
    const found = await get(creator);
    expect(found).toMatchObject({ key: id, id, name: "Door", price: 2, data: "only for holders", isCreator: true });
    expect(found).toMatchObject({ owned: true, owns: true });
    expect(found?.users).toEqual({ [creator.username]: time, [holder.username]: time });
  });

  test("shows a holder the data and itself", async () => {
    const found = await get(holder);
    expect(found).toMatchObject({ data: "only for holders", creator: creator.username, isCreator: false });
    expect(found).toMatchObject({ owned: true, owns: true });
    expect(found?.users).toEqual({ [holder.username]: time });
  });

  test("shows anybody else the key without its data", async () => {
    const found = await get(stranger);
    expect(found).toMatchObject({ data: null, creator: creator.username, isCreator: false, owned: false, owns: false });
    expect(found?.users).toEqual({});
  });

  test("shows an admin all holders, and no data", async () => {
    const found = await get(admin);
    expect(found).toMatchObject({ data: null, isCreator: false, owned: false });
    expect(found?.users).toEqual({ [creator.username]: time, [holder.username]: time });
  });

  test.each([NO_KEY, "x", "A".repeat(32), "%20", "a%2fb", "0".repeat(33), encodeURIComponent("\u{1F511}")])(
    "finds no key %j",
    async (none) => {
      expectError(await as(creator, `/keys/get/${none}`), 404, "key_not_found");
    },
  );

  test("shows its data no more to who has just lost the key", async () => {
    const [owner, former] = (await makeUsers(2)) as [TestUser, TestUser];
    const lost = await newKey(owner, { data: "short-lived" });
    await share(owner, lost, former);
    expect((await as(former, `/keys/get/${lost}`)).body?.data).toBe("short-lived");
    expectSuccess(await as(owner, `/keys/revoke/${lost}`, { user: former.username }));
    const { text, body } = await as(former, `/keys/get/${lost}`);
    expect(body).toMatchObject({ data: null, owned: false, users: {} });
    expect(text).not.toContain("short-lived");
  });
});

describe("/keys/check", () => {
  test("says whether a user holds a key, to anybody, and repeats what was asked", async () => {
    for (const [{ username }, held] of [
      [creator, true],
      [holder, true],
      [stranger, false],
    ] as const)
      expect(expectSuccess(await check(username, id)).body).toEqual({ owned: held, owns: held, username, key: id });
  });

  test("takes a username in any case of its letters", async () => {
    const username = holder.username.toUpperCase();
    expect(expectSuccess(await check(username, id)).body).toEqual({ owned: true, owns: true, username, key: id });
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
  const gone = await newKey(owner);
  await share(owner, gone, former);
  expectSuccess(await as(owner, `/keys/delete/${gone}`));
  for (const user of [owner, former]) {
    expectError(await as(user, `/keys/get/${gone}`), 404, "key_not_found");
    expect((await as(user, "/keys/mine")).list).toEqual([]);
    expect((await check(user.username, gone)).body?.owned).toBe(false);
  }
});
