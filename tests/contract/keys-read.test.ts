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

const check = (username: string, key: string) => ask(`/keys/check/${username}`, { query: { key } });

describe("/keys/get", () => {
  const DATA = "only for holders";
  test.each([
    ["the creator the data and all holders", () => creator, DATA, () => [creator, holder]],
    ["a holder the data and itself", () => holder, DATA, () => [holder]],
    ["anybody else the key without its data", () => stranger, null, () => []],
    ["an admin all holders, and no data", () => admin, null, () => [creator, holder]],
  ])("shows %s", async (_, viewer, data, holders) => {
    const found = expectSuccess(await as(viewer(), `/keys/get/${id}`)).body;
    expect(found).toMatchObject({ key: id, id, name: "Door", price: 2, creator: creator.username, data });
    const owned = data !== null;
    expect(found).toMatchObject({ isCreator: viewer() === creator, owned, owns: owned });
    const time = { time: expect.any(Number) };
    expect(found?.users).toEqual(Object.fromEntries(holders().map(({ username }) => [username, time])));
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
  const gone = await newKey(owner);
  await share(owner, gone, former);
  expectSuccess(await as(owner, `/keys/delete/${gone}`));
  for (const user of [owner, former]) {
    expectError(await as(user, `/keys/get/${gone}`), 404, "key_not_found");
    expect((await as(user, "/keys/mine")).list).toEqual([]);
    expect((await check(user.username, gone)).body?.owned).toBe(false);
  }
});
