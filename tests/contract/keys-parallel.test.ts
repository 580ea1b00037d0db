import { describe, expect, inject, test } from "vitest";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { makeUser, makeUsers, type TestUser } from "@/tests/support/user";
import { expectError, expectSuccess } from "./answers";
import { as, holdersOf, newKey, share } from "./keys";

const add = (creator: TestUser, id: string, { username }: TestUser) =>
  as(creator, `/keys/admin_add/${id}`, { key: id, username });
const revoke = (creator: TestUser, id: string, { username }: TestUser) =>
  as(creator, `/keys/revoke/${id}`, { user: username });

describe("changes of one key at once", () => {
  test("110 of them all succeed, and its holders are exactly what the answers say", async () => {
    const creator = await makeUser();
    const id = await newKey(creator);
    const users = await makeUsers(40);
    const heldBefore = new Set(users.slice(0, 20));
    await Promise.all([...heldBefore].map((user) => share(creator, id, user)));

    const fields = ["data", "name", "price"] as const;
    const [added, revoked, updated] = await Promise.all([
      Promise.all(users.map((user) => add(creator, id, user))),
      Promise.all(users.map((user) => revoke(creator, id, user))),
      Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          as(creator, `/keys/update/${id}`, { key: fields[index % 3], data: String(index) }),
        ),
      ),
    ]);
    for (const response of [...added, ...revoked, ...updated]) expectSuccess(response);

    const holds = users.filter((user, index) => {
      const [wasAdded, wasRevoked] = [added[index]?.body?.added, revoked[index]?.body?.revoked];
      return heldBefore.has(user) ? wasAdded || !wasRevoked : wasAdded && !wasRevoked;
    });
    expect(await holdersOf(creator, id)).toEqual([creator, ...holds].map(({ username }) => username).sort());
    for (const user of users) expect((await as(user, "/keys/mine")).list).toHaveLength(holds.includes(user) ? 1 : 0);

    const { body } = await as(creator, `/keys/get/${id}`);
    for (const [index, field] of fields.entries()) expect(Number(body?.[field]) % 3).toBe(index);
  });

  test("deleting beside adding and updating ends in one deletion and no error of ours", async () => {
    const [creator, user] = (await makeUsers(2)) as [TestUser, TestUser];
    const id = await newKey(creator);
    const responses = await Promise.all([
      ...Array.from({ length: 20 }, () => add(creator, id, user)),
      ...Array.from({ length: 20 }, (_, index) =>
        as(creator, `/keys/update/${id}`, { key: "data", data: String(index) }),
      ),
      ...Array.from({ length: 5 }, () => as(creator, `/keys/delete/${id}`)),
    ]);
    for (const { status, body } of responses)
      expect(status === 200 || (status === 404 && body?.code === "key_not_found")).toBe(true);
    expect(responses.slice(40).filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await as(user, "/keys/mine")).list).toEqual([]);
  });
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

const create = (creator: TestUser, data: string) => as(creator, "/keys/create", { data, price: "1" });

test("a user can have a limited number of keys, even with concurrent requests", async () => {
  const user = await makeUser();
  const [first] = await fill(user, QUOTAS.KEYS_PER_CREATOR - 5);
  const responses = await Promise.all(Array.from({ length: 20 }, () => create(user, "x")));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(5);
  for (const response of responses.filter(({ status }) => status !== 200)) expectError(response, 403, "key_limit");
  expect((await as(user, "/keys/mine")).list).toHaveLength(QUOTAS.KEYS_PER_CREATOR);
  expectSuccess(await as(user, `/keys/delete/${first}`));
  expectSuccess(await create(user, "x"));
});

test("a user can store so much data in all and no more", async () => {
  const user = await makeUser();
  const size = 10_000;
  const ids = await Promise.all(
    Array.from({ length: QUOTAS.KEY_BYTES_PER_CREATOR / size }, () => newKey(user, { data: "x".repeat(size) })),
  );
  expectError(await create(user, "y"), 403, "key_limit");
  const update = (key: string, data: string) => as(user, `/keys/update/${ids[0]}`, { key, data });
  expectError(await update("data", "x".repeat(size + 1)), 403, "key_limit");
  expectSuccess(await update("name", "still allowed"));
  expectSuccess(await update("data", "x".repeat(size - 3)));
  expectSuccess(await create(user, "\u20ac"));
  expectError(await create(user, "z"), 403, "key_limit");
});

test("a user can hold so many keys of others and no more", async () => {
  const [creator, holder] = (await makeUsers(2)) as [TestUser, TestUser];
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
  const creator = await makeUser();
  const id = await newKey(creator);
  const users = await makeUsers(QUOTAS.HOLDERS_PER_KEY + 10);
  const now = new Date();
  const rows = users
    .slice(0, QUOTAS.HOLDERS_PER_KEY - 6)
    .map((user) => ({ keyId: id, userId: user.id, since: now, keyCreatedAt: now }));
  await db.holder.createMany({ data: rows });
  const add = ({ username }: TestUser) => as(creator, `/keys/admin_add/${id}`, { key: id, username });
  const responses = await Promise.all(users.slice(rows.length).map(add));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(5);
  for (const response of responses.filter(({ status }) => status !== 200)) expectError(response, 403, "holder_limit");
  expect(expectSuccess(await add(users[0] as TestUser)).body?.added).toBe(false);
});
