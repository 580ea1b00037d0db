import { beforeEach, describe, expect, inject, test } from "vitest";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { type Answer, ask } from "@/tests/support/http";
import { makeUser, makeUsers, type TestUser } from "@/tests/support/user";
import { expectError, expectSuccess } from "./answers";
import { as, holdersOf, newKey, share } from "./keys";

let creator: TestUser;
let other: TestUser;
let id: string;
beforeEach(async () => {
  [creator, other] = (await makeUsers(2)) as [TestUser, TestUser];
  id = await newKey(creator);
});

const add = (caller: TestUser, username: string, key = id) => as(caller, `/keys/admin_add/${id}`, { key, username });
const revoke = (caller: TestUser, user: string) => as(caller, `/keys/revoke/${id}`, { user });
const remove = (caller: TestUser) => as(caller, `/keys/delete/${id}`);
const SOON = Math.floor(Date.now() / 1000) + 86_400;
const confirmation = { success: true, status: expect.any(String), message: expect.any(String) };

test("/keys/admin_add makes a user a holder, who then sees the data", async () => {
  const { body } = expectSuccess(await add(creator, other.username));
  expect(body).toEqual({ ...confirmation, key: id, user: other.username, added: true });
  expect(body?.status).toBe(body?.message);
  expect((await as(other, `/keys/get/${id}`)).body).toMatchObject({ data: "secret", owned: true });
  expect(await holdersOf(creator, id)).toEqual([creator.username, other.username].sort());
});

test("/keys/admin_add, asked twice, says that nothing was added", async () => {
  await add(creator, other.username);
  expect(expectSuccess(await add(creator, other.username)).body).toMatchObject({ success: true, added: false });
  expect(expectSuccess(await add(creator, creator.username)).body?.added).toBe(false);
});

test("/keys/admin_add finds users in any case of their letters, and names them as they signed up", async () => {
  expect(expectSuccess(await add(creator, other.username.toUpperCase())).body).toMatchObject({
    user: other.username,
    added: true,
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
});

test("/keys/delete deletes the key and confirms it once", async () => {
  expect(expectSuccess(await remove(creator)).body).toEqual({ ...confirmation, key: id });
  expectError(await remove(creator), 404, "key_not_found");
});

test.each<[string, (caller: TestUser, username: string) => Promise<Answer>, object]>([
  ["admin_add", add, { added: true }],
  ["revoke", revoke, { revoked: true }],
  ["delete", remove, { success: true }],
])("/keys/%s is for the creator and for admins, not for other holders or strangers", async (_, change, done) => {
  const [first, second, admin] = [await makeUser(), await makeUser(), await makeUser({ role: "admin" })];
  for (const holder of [other, first]) await share(creator, id, holder);
  const { username } = change === add ? second : first;
  for (const caller of [other, second]) expectError(await change(caller, username), 403, "not_creator");
  expect(await holdersOf(creator, id)).toEqual([creator, other, first].map((one) => one.username).sort());
  expect(expectSuccess(await change(admin, username)).body).toMatchObject(done);
});

const addUntil = (until?: string, who = other) =>
  as(creator, `/keys/admin_add/${id}`, { key: id, username: who.username, until });
const check = async () =>
  expectSuccess(await ask(`/keys/check/${other.username}`, { query: { key: id } })).body as Record<string, unknown>;

test("until is told by admin_add, check and users, in Unix seconds, and by nothing without one", async () => {
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
  for (const until of ["1", "2100-01-01T00:00:00"]) expectError(await addUntil(until), 400, "invalid_parameter");
  const { body } = expectSuccess(await addUntil());
  expect(Object.keys(body ?? {}).sort()).toEqual(["added", "key", "message", "status", "success", "user"]);
  expect(body?.added).toBe(false);
});

test("until that has come ends it on every process, with nothing done", async () => {
  await addUntil(String(SOON));
  expect((await as(other, `/keys/get/${id}`)).body?.data).toBe("secret");
  // Lets time pass: the row says that the end was given so much earlier.
  await db.holder.updateMany({ where: { keyId: id, userId: other.id }, data: { until: new Date() } });
  for (let attempt = 0; attempt < 6; attempt++) {
    expect(await check()).toEqual({ owned: false, owns: false, username: other.username, key: id });
    expect((await as(other, `/keys/get/${id}`)).body).toMatchObject({ data: null, owned: false, users: {} });
    expect((await as(other, "/keys/mine")).list).toEqual([]);
    expect((await as(creator, `/keys/get/${id}`)).body?.users).not.toHaveProperty(other.username);
    expect(Object.keys((await as(creator, "/keys/mine")).list?.[0]?.users ?? {})).toEqual([creator.username]);
  }
  expect(expectSuccess(await addUntil(String(SOON))).body).toMatchObject({ added: false, changed: true });
  expect((await as(other, `/keys/get/${id}`)).body?.data).toBe("secret");
});

test("deleting beside adding and updating ends in one deletion and no error of ours", async () => {
  const responses = await Promise.all([
    ...Array.from({ length: 20 }, () => add(creator, other.username)),
    ...Array.from({ length: 20 }, (_, index) =>
      as(creator, `/keys/update/${id}`, { key: "data", data: String(index) }),
    ),
    ...Array.from({ length: 5 }, () => remove(creator)),
  ]);
  for (const { status, body } of responses)
    expect(status === 200 || (status === 404 && body?.code === "key_not_found")).toBe(true);
  expect(responses.slice(40).filter(({ status }) => status === 200)).toHaveLength(1);
  expect((await as(other, "/keys/mine")).list).toEqual([]);
});

const QUOTAS = inject("quotas");

/** `count` keys of `creator`, written at once. */
async function fill(creator: TestUser, count: number): Promise<string[]> {
  const now = new Date();
  const row = { creatorId: creator.id, name: "", data: "x", dataBytes: 1, price: "1", createdAt: now, updatedAt: now };
  const rows = Array.from({ length: count }, () => ({ id: newId(), ...row }));
  await db.key.createMany({ data: rows });
  await db.holder.createMany({
    data: rows.map(({ id }) => ({ keyId: id, userId: creator.id, since: now, keyCreatedAt: now })),
  });
  return rows.map(({ id }) => id);
}

test("a user can hold so many keys of others and no more", async () => {
  const holder = other;
  const now = new Date();
  const ids = await fill(creator, QUOTAS.KEYS_HELD_FROM_OTHERS + 1);
  const held = ids.slice(1).map((keyId) => ({ keyId, userId: holder.id, since: now, keyCreatedAt: now }));
  await db.holder.createMany({ data: held });
  const add = () => as(creator, `/keys/admin_add/${ids[0]}`, { key: ids[0], username: holder.username });
  expectError(await add(), 403, "holder_limit");
  await newKey(holder);
  expectSuccess(await as(holder, `/keys/revoke/${ids[1]}`, { user: holder.username }));
  expectSuccess(await add());
});

test("a key can have a limited number of holders, even with concurrent additions", async () => {
  const users = await makeUsers(QUOTAS.HOLDERS_PER_KEY + 10);
  const now = new Date();
  const rows = users
    .slice(0, QUOTAS.HOLDERS_PER_KEY - 6)
    .map((user) => ({ keyId: id, userId: user.id, since: now, keyCreatedAt: now }));
  await db.holder.createMany({ data: rows });
  const responses = await Promise.all(users.slice(rows.length).map(({ username }) => add(creator, username)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(5);
  for (const response of responses.filter(({ status }) => status !== 200)) expectError(response, 403, "holder_limit");
  expect(expectSuccess(await add(creator, users[0]?.username ?? "")).body?.added).toBe(false);
});
