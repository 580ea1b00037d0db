import { beforeEach, describe, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { ask } from "@/tests/support/http";
import { makeUsers, type TestUser } from "@/tests/support/user";
import { expectError, expectSuccess } from "./answers";
import { as, newKey } from "./keys";

let creator: TestUser;
let holder: TestUser;
let id: string;
beforeEach(async () => {
  [creator, holder] = (await makeUsers(2)) as [TestUser, TestUser];
  id = await newKey(creator);
});

const SOON = Math.floor(Date.now() / 1000) + 86_400;
const add = (until?: string, who = holder) =>
  as(creator, `/keys/admin_add/${id}`, { key: id, username: who.username, until });
const check = async () =>
  expectSuccess(await ask(`/keys/check/${holder.username}`, { query: { key: id } })).body as Record<string, unknown>;

describe("until", () => {
  test("is told by admin_add, check and users, in Unix seconds, and by nothing without one", async () => {
    expect(expectSuccess(await add(String(SOON))).body).toMatchObject({ added: true, changed: false, until: SOON });
    expect(await check()).toEqual({ owned: true, owns: true, username: holder.username, key: id, until: SOON });
    const users = { [holder.username]: { time: expect.any(Number), until: SOON } };
    expect((await as(holder, `/keys/get/${id}`)).body?.users).toEqual(users);
    expect((await as(holder, "/keys/mine")).list?.[0]).toMatchObject({ users });
    expect((await as(creator, `/keys/get/${id}`)).body?.users).toEqual({
      ...users,
      [creator.username]: { time: expect.any(Number) },
    });
    const { body } = expectSuccess(await add());
    expect(Object.keys(body ?? {}).sort()).toEqual(["added", "key", "message", "status", "success", "user"]);
    expect(body?.added).toBe(false);
  });

  test("asked again changes the end, and never takes it away", async () => {
    await add(String(SOON));
    const later = new Date((SOON + 60) * 1000).toISOString();
    expect(expectSuccess(await add(later)).body).toMatchObject({ added: false, changed: true, until: SOON + 60 });
    expect(expectSuccess(await add(later)).body).toMatchObject({ added: false, changed: false, until: SOON + 60 });
    expect(expectSuccess(await add("never")).body).toMatchObject({ added: false, changed: true });
    expect(await check()).not.toHaveProperty("until");
  });

  test("in the past, without a zone, and for the creator is refused, and changes nothing", async () => {
    expect(expectError(await add("1"), 400, "invalid_parameter").body?.error).toBe(
      "The parameter until must be in the future.",
    );
    expectError(await add("2100-01-01T00:00:00"), 400, "invalid_parameter");
    expectError(await add(""), 400, "invalid_parameter");
    expectError(await add(String(SOON * 1000)), 400, "invalid_parameter");
    expectError(await add(String(SOON), creator), 400, "invalid_parameter");
    expect((await check()).owned).toBe(false);
  });

  test("that has come ends it on every process, with nothing done", async () => {
    await add(String(SOON));
    expect((await as(holder, `/keys/get/${id}`)).body?.data).toBe("secret");
    // Lets time pass: the row says that the end was given so much earlier.
    await db.holder.updateMany({ where: { keyId: id, userId: holder.id }, data: { until: new Date() } });
    for (let asked = 0; asked < 6; asked++) {
      expect(await check()).toEqual({ owned: false, owns: false, username: holder.username, key: id });
      expect((await as(holder, `/keys/get/${id}`)).body).toMatchObject({ data: null, owned: false, users: {} });
      expect((await as(holder, "/keys/mine")).list).toEqual([]);
      expect((await as(creator, `/keys/get/${id}`)).body?.users).not.toHaveProperty(holder.username);
    }
    expect(expectSuccess(await add(String(SOON))).body).toMatchObject({ added: false, changed: true });
    expect((await as(holder, `/keys/get/${id}`)).body?.data).toBe("secret");
  });
});
