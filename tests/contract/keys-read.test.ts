import { beforeAll, describe, expect, test } from "vitest";
import { ask } from "@/tests/support/http";
import { makeUser, type TestUser } from "@/tests/support/user";
import { expectError, expectSuccess } from "./answers";
import { as, NO_KEY, newKey, share } from "./keys";

interface Cast {
  creator: TestUser;
  holder: TestUser;
  stranger: TestUser;
  admin: TestUser;
  id: string;
}

let cast: Cast;
beforeAll(async () => {
  const [creator, holder, stranger, admin] = [
    await makeUser(),
    await makeUser(),
    await makeUser(),
    await makeUser({ role: "admin" }),
  ];
  const id = await newKey(creator, { data: "only for holders", price: "2", name: "Door" });
  await share(creator, id, holder);
  cast = { creator, holder, stranger, admin, id };
});

const get = async (caller: TestUser) => expectSuccess(await as(caller, `/keys/get/${cast.id}`)).body;
const check = (username: string, key: string) => ask(`/keys/check/${username}`, { query: { key } });
const time = { time: expect.any(Number) };

describe("/keys/get, happy", () => {
  test("the creator sees the data and all holders", async () => {
    const { creator, holder, id } = cast;
    expect(await get(creator)).toMatchObject({
      key: id,
      id,
      name: "Door",
      price: 2,
      data: "only for holders",
      isCreator: true,
      owned: true,
      owns: true,
    });
    expect((await get(creator))?.users).toEqual({ [creator.username]: time, [holder.username]: time });
  });

  test("a holder sees the data and itself", async () => {
    const { creator, holder } = cast;
    expect(await get(holder)).toMatchObject({
      data: "only for holders",
      creator: creator.username,
      isCreator: false,
      owned: true,
      owns: true,
    });
    expect((await get(holder))?.users).toEqual({ [holder.username]: time });
  });

  test("anybody else sees the key without its data", async () => {
    const { stranger, creator } = cast;
    expect(await get(stranger)).toMatchObject({
      data: null,
      creator: creator.username,
      isCreator: false,
      owned: false,
      owns: false,
      users: {},
    });
  });

  test("an admin sees all holders, and no data", async () => {
    const { admin, creator, holder } = cast;
    expect(await get(admin)).toMatchObject({ data: null, isCreator: false, owned: false });
    expect((await get(admin))?.users).toEqual({ [creator.username]: time, [holder.username]: time });
  });
});

describe("/keys/get, error", () => {
  test.each([NO_KEY, "x", "A".repeat(32), "%20", "a%2fb", "0".repeat(33), "\u{1F511}"])(
    "there is no key %j",
    async (none) => {
      expectError(
        await as(cast.creator, `/keys/get/${encodeURI(decodeURIComponent(none)).replaceAll("/", "%2f")}`),
        404,
        "key_not_found",
      );
    },
  );
});

describe("/keys/get, security", () => {
  test("whoever lost the key loses sight of its data at once", async () => {
    const [creator, holder] = [await makeUser(), await makeUser()];
    const id = await newKey(creator, { data: "short-lived" });
    await share(creator, id, holder);
    expect((await as(holder, `/keys/get/${id}`)).body?.data).toBe("short-lived");
    expectSuccess(await as(creator, `/keys/revoke/${id}`, { user: holder.username }));
    const { text, body } = await as(holder, `/keys/get/${id}`);
    expect(body).toMatchObject({ data: null, owned: false, users: {} });
    expect(text).not.toContain("short-lived");
  });
});

describe("/keys/check", () => {
  test("says whether a user holds a key, to anybody, and repeats what was asked", async () => {
    const { creator, holder, stranger, id } = cast;
    const answer = (username: string, held: boolean) => ({ owned: held, owns: held, username, key: id });
    expect(expectSuccess(await check(creator.username, id)).body).toEqual(answer(creator.username, true));
    expect(expectSuccess(await check(holder.username, id)).body).toEqual(answer(holder.username, true));
    expect(expectSuccess(await check(stranger.username, id)).body).toEqual(answer(stranger.username, false));
  });

  test("takes a username in any case of its letters", async () => {
    const { holder, id } = cast;
    const username = holder.username.toUpperCase();
    expect(expectSuccess(await check(username, id)).body).toEqual({ owned: true, owns: true, username, key: id });
  });

  test("returns false for users and keys that do not exist", async () => {
    for (const [username, key] of [
      ["nobody-at-all", cast.id],
      [cast.creator.username, NO_KEY],
      [cast.creator.username, "x"],
      ["a".repeat(200), "b".repeat(200)],
      ["ÄÖÜ", "'"],
    ] as const)
      expect(expectSuccess(await check(encodeURIComponent(username), key)).body).toEqual({
        owned: false,
        owns: false,
        username,
        key,
      });
  });

  test("needs a key", async () => {
    expectError(await ask(`/keys/check/${cast.creator.username}`), 400, "missing_parameter");
  });
});

describe("a deleted key", () => {
  test("is gone for everybody", async () => {
    const [creator, holder] = [await makeUser(), await makeUser()];
    const id = await newKey(creator);
    await share(creator, id, holder);
    expectSuccess(await as(creator, `/keys/delete/${id}`));
    for (const user of [creator, holder]) {
      expectError(await as(user, `/keys/get/${id}`), 404, "key_not_found");
      expect((await as(user, "/keys/mine")).list).toEqual([]);
      expect((await check(user.username, id)).body?.owned).toBe(false);
    }
  });
});
