import { describe, expect, test } from "vitest";
import { makeUser, makeUsers, type TestUser } from "@/tests/support/user";
import { expectSuccess } from "./answers";
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
