import { describe, expect, test } from "vitest";
import { keysOf } from "@/lib/keys/record";
import type { KeyRecord } from "@/lib/keys/schema";
import { db, sql } from "@/lib/platform/db/client";
import { insert } from "@/lib/platform/db/statement";
import { sized } from "@/tests/support/size";
import { statementsOf } from "@/tests/support/statements";
import { makeUsers } from "@/tests/support/user";
import { makeKeys, type Person, people, person } from "./keys";

async function page(viewer: Person, limit?: number, after?: string) {
  const { pages, next } = await keysOf(viewer, { limit, after });
  const records: KeyRecord[] = [];
  for await (const some of pages) records.push(...some);
  return { records, next };
}

describe("keys that a user holds", () => {
  test("come whole and oldest first, in pages the same, and with two statements for so many at a time", async () => {
    const user = await person();
    const count = sized(1_000, 10_000);
    await makeKeys(user, user, { count });
    let records: KeyRecord[] = [];
    const statements = await statementsOf(async () => {
      records = (await page(user)).records;
    });
    expect(records).toHaveLength(count);
    // 16 keys, 64, and then 250 at a time, each with their holders.
    expect(statements).toHaveLength(2 * (2 + Math.ceil((count - 80 + 1) / 250)));
    const order = records.map(({ createdAt, id }) => `${createdAt} ${id}`);
    expect(order).toEqual(order.toSorted());
    expect(Object.keys(records[count - 1]?.users ?? {})).toEqual([user.username]);
    const paged: KeyRecord[] = [];
    let after: string | undefined;
    do {
      const { records, next } = await page(user, 299, after);
      paged.push(...records);
      after = next;
    } while (after);
    expect(paged).toEqual(records);
    // Where the next page begins, and two pages with their holders.
    expect(await statementsOf(() => page(user, 20))).toHaveLength(5);
  });

  test("of others are listed without their holders, after a cursor whose key is deleted, too", async () => {
    const [user, other] = await people(2);
    await makeKeys(other, user, { count: 9 });
    const first = await page(user, 4);
    const rest = await page(user, 5, first.next);
    await db.key.delete({ where: { id: first.records[3]?.id } });
    expect(await page(user, 5, first.next)).toEqual(rest);
    for (const { data, isCreator, users } of rest.records)
      expect([data, isCreator, Object.keys(users)]).toEqual(["data", false, [user.username]]);
  });

  test("are listed with all of their holders, thousands too", async () => {
    const user = await person();
    // As many as the first statement reads, and together more holders than one reads.
    const ids = await makeKeys(user, user, { count: 16 });
    const since = new Date();
    const holders = await makeUsers(330);
    for (const keyId of ids)
      await sql.batch([
        insert(
          "Holder",
          holders.map(({ id }) => ({ keyId, userId: id, since, keyCreatedAt: since })),
        ),
      ]);
    const names = [user, ...holders].map(({ username }) => username).sort();
    for (const { users } of (await page(user)).records) expect(Object.keys(users).sort()).toEqual(names);
  });
});
