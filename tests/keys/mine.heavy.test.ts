import { describe, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { keysOf as pagesOf } from "@/lib/keys/mine";
import type { KeyRecord } from "@/lib/keys/schema";
import { sized } from "../support/size";
import { makeUser, makeUsers, type TestUser } from "../support/user";
import { makeKeys } from "./make-keys";

async function all(viewer: TestUser): Promise<KeyRecord[]> {
  const records: KeyRecord[] = [];
  for await (const page of (await pagesOf({ ...viewer, role: "user" }, {})).pages) records.push(...page);
  return records;
}

async function keysOf(
  viewer: TestUser,
  limit: number,
  after?: string,
): Promise<{ records: KeyRecord[]; next?: string }> {
  const { pages, next } = await pagesOf({ ...viewer, role: "user" }, { limit, after });
  const records: KeyRecord[] = [];
  for await (const page of pages) records.push(...page);
  return { records, next };
}

describe("keys that a user holds", () => {
  test("none", async () => {
    const user = await makeUser();
    expect(await all(user)).toEqual([]);
    expect(await keysOf(user, 10)).toEqual({ records: [] });
  });

  test("thousands come whole and oldest first, and in pages the same", async () => {
    const user = await makeUser();
    const count = sized(2_500, 10_000);
    await makeKeys(user, user, count);
    const whole = await all(user);
    expect(whole).toHaveLength(count);
    const order = whole.map(({ createdAt, id }) => `${createdAt} ${id}`);
    expect(order).toEqual([...order].sort());
    expect(Object.keys(whole[count - 1]?.users ?? {})).toEqual([user.username]);

    const paged: string[] = [];
    let after: string | undefined;
    do {
      const { records, next } = await keysOf(user, 999, after);
      paged.push(...records.map(({ id }) => id));
      after = next;
    } while (after);
    expect(paged).toEqual(whole.map(({ id }) => id));
  });

  test("a cursor stays good when its key is deleted", async () => {
    const user = await makeUser();
    const other = await makeUser();
    await makeKeys(other, user, 9);
    const first = await keysOf(user, 4);
    const rest = await keysOf(user, 5, first.next);
    await db.key.delete({ where: { id: first.records[3]?.id } });
    expect(await keysOf(user, 5, first.next)).toEqual(rest);
    expect(rest.next).toBeUndefined();
    expect(
      rest.records.every(
        ({ data, isCreator, users }) => data !== null && !isCreator && Object.keys(users).length === 1,
      ),
    ).toBe(true);
  });

  test("a bad cursor is refused", async () => {
    const user = await makeUser();
    await expect(keysOf(user, 5, "nonsense")).rejects.toMatchObject({ status: 400, code: "invalid_parameter" });
  });

  test("a key with thousands of holders is listed with all of them", async () => {
    const user = await makeUser();
    const [crowded, small] = (await makeKeys(user, user, 2)) as [string, string];
    const since = new Date();
    const holders = await makeUsers(5_200);
    for (let from = 0; from < holders.length; from += 400)
      await db.holder.createMany({
        data: holders
          .slice(from, from + 400)
          .map(({ id }) => ({ keyId: crowded, userId: id, since, keyCreatedAt: since })),
      });
    const records = await all(user);
    const users = (id: string) => Object.keys(records.find((record) => record.id === id)?.users ?? {});
    expect(users(crowded)).toHaveLength(5_201);
    expect(users(small)).toEqual([user.username]);
  });
});
