import { beforeEach, describe, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { ask } from "@/tests/support/http";
import { makeUser, makeUsers, type TestUser } from "@/tests/support/user";
import { expectError, expectSuccess } from "./answers";
import { as, holdersOf, NO_KEY, newKey, share } from "./keys";

let creator: TestUser;
let other: TestUser;
let id: string;
beforeEach(async () => {
  [creator, other] = (await makeUsers(2)) as [TestUser, TestUser];
  id = await newKey(creator);
});

const add = (caller: TestUser, username: string, key = id) => as(caller, `/keys/admin_add/${id}`, { key, username });
const revoke = (caller: TestUser, user: string) => as(caller, `/keys/revoke/${id}`, { user });
const SOON = Math.floor(Date.now() / 1000) + 86_400;
const confirmation = { success: true, status: expect.any(String), message: expect.any(String) };

describe("/keys/admin_add", () => {
  test("makes a user a holder, who then sees the data", async () => {
    const { body } = expectSuccess(await add(creator, other.username));
    expect(body).toEqual({ ...confirmation, key: id, user: other.username, added: true });
    expect(body?.status).toBe(body?.message);
    expect((await as(other, `/keys/get/${id}`)).body).toMatchObject({ data: "secret", owned: true });
    expect(await holdersOf(creator, id)).toEqual([creator.username, other.username].sort());
  });

  test("asked twice it says that nothing was added", async () => {
    await add(creator, other.username);
    expect(expectSuccess(await add(creator, other.username)).body).toMatchObject({ success: true, added: false });
    expect(expectSuccess(await add(creator, creator.username)).body?.added).toBe(false);
  });

  test("finds users in any case of their letters, and names them as they signed up", async () => {
    expect(expectSuccess(await add(creator, other.username.toUpperCase())).body).toMatchObject({
      user: other.username,
      added: true,
    });
  });

  test("refuses another key in the parameter, unknown users and unknown keys", async () => {
    expectError(await add(creator, other.username, "data"), 400, "key_mismatch");
    expectError(await add(creator, other.username, NO_KEY), 400, "key_mismatch");
    expectError(await add(creator, "nobody-at-all"), 404, "user_not_found");
    expectError(
      await as(creator, `/keys/admin_add/${NO_KEY}`, { key: NO_KEY, username: other.username }),
      404,
      "key_not_found",
    );
  });

  test("is for the creator and for admins, not for holders or strangers", async () => {
    const [stranger, admin] = [await makeUser(), await makeUser({ role: "admin" })];
    expectError(await add(stranger, stranger.username), 403, "not_creator");
    await share(creator, id, other);
    expectError(await add(other, stranger.username), 403, "not_creator");
    expect(await holdersOf(creator, id)).not.toContain(stranger.username);
    expect(expectSuccess(await add(admin, stranger.username)).body?.added).toBe(true);
  });
});

describe("/keys/revoke", () => {
  test("takes the key from a holder, and asked twice says that nothing was revoked", async () => {
    await share(creator, id, other);
    const { body } = expectSuccess(await revoke(creator, other.username.toUpperCase()));
    expect(body).toEqual({ ...confirmation, key: id, user: other.username, revoked: true });
    expect(await holdersOf(creator, id)).toEqual([creator.username]);
    expect(expectSuccess(await revoke(creator, other.username)).body).toMatchObject({ success: true, revoked: false });
  });

  test("lets a holder give the key back", async () => {
    await share(creator, id, other);
    expect(expectSuccess(await revoke(other, other.username)).body?.revoked).toBe(true);
    expect(await holdersOf(creator, id)).toEqual([creator.username]);
  });

  test("never takes the key from its creator, and says what to do instead", async () => {
    expect(expectError(await revoke(creator, creator.username), 400, "creator_access").body?.error).toMatch(/delete/i);
    expectError(await revoke(await makeUser({ role: "admin" }), creator.username), 400, "creator_access");
    expect(await holdersOf(creator, id)).toEqual([creator.username]);
  });

  test("is /keys/admin_remove, too, under both names of the user", async () => {
    for (const name of ["username", "user"]) {
      await share(creator, id, other);
      const remove = (caller: TestUser, { username }: TestUser) =>
        as(caller, `/keys/admin_remove/${id}`, { [name]: username });
      expectError(await remove(other, creator), 403, "not_creator");
      const { body } = expectSuccess(await remove(creator, other));
      expect(body).toEqual({ ...confirmation, key: id, user: other.username, revoked: true });
      expect(await holdersOf(creator, id)).toEqual([creator.username]);
      expectError(await remove(creator, creator), 400, "creator_access");
    }
  });

  test("refuses unknown users and unknown keys", async () => {
    expectError(await revoke(creator, "nobody-at-all"), 404, "user_not_found");
    expectError(await as(creator, `/keys/revoke/${NO_KEY}`, { user: other.username }), 404, "key_not_found");
  });

  test("is for the creator and for admins, not for other holders or strangers", async () => {
    const [stranger, admin] = [await makeUser(), await makeUser({ role: "admin" })];
    await share(creator, id, other);
    expectError(await revoke(stranger, other.username), 403, "not_creator");
    expectError(await revoke(other, creator.username), 403, "not_creator");
    expect(await holdersOf(creator, id)).toContain(other.username);
    expect(expectSuccess(await revoke(admin, other.username)).body?.revoked).toBe(true);
  });
});

describe("/keys/delete", () => {
  test("deletes the key and confirms it once", async () => {
    expect(expectSuccess(await as(creator, `/keys/delete/${id}`)).body).toEqual({ ...confirmation, key: id });
    expectError(await as(creator, `/keys/delete/${id}`), 404, "key_not_found");
  });

  test("is for the creator and for admins, not for holders or strangers", async () => {
    await share(creator, id, other);
    expectError(await as(other, `/keys/delete/${id}`), 403, "not_creator");
    expectError(await as(await makeUser(), `/keys/delete/${id}`), 403, "not_creator");
    expect(await holdersOf(creator, id)).toHaveLength(2);
    expectSuccess(await as(await makeUser({ role: "admin" }), `/keys/delete/${id}`));
  });
});

describe("until", () => {
  const addUntil = (until?: string, who = other) =>
    as(creator, `/keys/admin_add/${id}`, { key: id, username: who.username, until });
  const check = async () =>
    expectSuccess(await ask(`/keys/check/${other.username}`, { query: { key: id } })).body as Record<string, unknown>;

  test("is told by admin_add, check and users, in Unix seconds, and by nothing without one", async () => {
    expect(expectSuccess(await addUntil(String(SOON))).body).toMatchObject({
      added: true,
      changed: false,
      until: SOON,
    });
    expect(await check()).toEqual({ owned: true, owns: true, username: other.username, key: id, until: SOON });
    const users = { [other.username]: { time: expect.any(Number), until: SOON } };
    expect((await as(other, `/keys/get/${id}`)).body?.users).toEqual(users);
    expect((await as(other, "/keys/mine")).list?.[0]).toMatchObject({ users });
    expect((await as(creator, `/keys/get/${id}`)).body?.users).toEqual({
      ...users,
      [creator.username]: { time: expect.any(Number) },
    });
    const { body } = expectSuccess(await addUntil());
    expect(Object.keys(body ?? {}).sort()).toEqual(["added", "key", "message", "status", "success", "user"]);
    expect(body?.added).toBe(false);
  });

  test("asked again changes the end, and never takes it away", async () => {
    await addUntil(String(SOON));
    const later = new Date((SOON + 60) * 1000).toISOString();
    expect(expectSuccess(await addUntil(later)).body).toMatchObject({ added: false, changed: true, until: SOON + 60 });
    expect(expectSuccess(await addUntil(later)).body).toMatchObject({ added: false, changed: false, until: SOON + 60 });
    expect(expectSuccess(await addUntil("never")).body).toMatchObject({ added: false, changed: true });
    expect(await check()).not.toHaveProperty("until");
  });

  test("in the past, without a zone, and for the creator is refused, and changes nothing", async () => {
    expect(expectError(await addUntil("1"), 400, "invalid_parameter").body?.error).toBe(
      "The parameter until must be in the future.",
    );
    expectError(await addUntil("2100-01-01T00:00:00"), 400, "invalid_parameter");
    expectError(await addUntil(""), 400, "invalid_parameter");
    expectError(await addUntil(String(SOON * 1000)), 400, "invalid_parameter");
    expectError(await addUntil(String(SOON), creator), 400, "invalid_parameter");
    expect((await check()).owned).toBe(false);
  });

  test("that has come ends it on every process, with nothing done", async () => {
    await addUntil(String(SOON));
    expect((await as(other, `/keys/get/${id}`)).body?.data).toBe("secret");
    // Lets time pass: the row says that the end was given so much earlier.
    await db.holder.updateMany({ where: { keyId: id, userId: other.id }, data: { until: new Date() } });
    for (let asked = 0; asked < 6; asked++) {
      expect(await check()).toEqual({ owned: false, owns: false, username: other.username, key: id });
      expect((await as(other, `/keys/get/${id}`)).body).toMatchObject({ data: null, owned: false, users: {} });
      expect((await as(other, "/keys/mine")).list).toEqual([]);
      expect((await as(creator, `/keys/get/${id}`)).body?.users).not.toHaveProperty(other.username);
      expect(Object.keys((await as(creator, "/keys/mine")).list?.[0]?.users ?? {})).toEqual([creator.username]);
    }
    expect(expectSuccess(await addUntil(String(SOON))).body).toMatchObject({ added: false, changed: true });
    expect((await as(other, `/keys/get/${id}`)).body?.data).toBe("secret");
  });
});
