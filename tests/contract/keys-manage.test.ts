import { beforeEach, describe, expect, test } from "vitest";
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
