import { beforeAll, describe, expect, test } from "vitest";
import { GET as check } from "@/app/(api)/keys/check/[username]/route";
import { GET as get } from "@/app/(api)/keys/get/[id]/route";
import { GET as mine } from "@/app/(api)/keys/mine/route";
import { recordSeen, writeSeen } from "@/lib/auth/seen";
import { db, transaction } from "@/lib/db/client";
import { createKey } from "@/lib/keys/create";
import { findKey } from "@/lib/keys/find";
import { addHolder } from "@/lib/keys/holders";
import type { KeyRecord } from "@/lib/keys/schema";
import { keepKind } from "@/lib/user-kind";
import { sized } from "../support/size";
import { statementsOf } from "../support/statements";
import { makeUser, makeUsers, type TestUser } from "../support/user";
import { makeKeys } from "./make-keys";

const asViewer = (user: TestUser) => ({ ...user, role: "user" });
let creator: TestUser;
let holder: TestUser;
let key: KeyRecord;

/** The statements of one request to a route's own handler, and what it answered. */
async function statementsOfAsking<T>(
  handler: (request: Request) => Promise<Response>,
  address: string,
): Promise<{ sent: string[]; body: T }> {
  let body: T | undefined;
  const sent = await statementsOf(async () => {
    body = JSON.parse(await (await handler(new Request(`http://localhost${address}`))).text());
  });
  return { sent, body: body as T };
}

beforeAll(async () => {
  [creator, holder] = await Promise.all([makeUser(), makeUser()]);
  key = await createKey(asViewer(creator), { data: "secret", price: "1" });
  await addHolder(asViewer(creator), await findKey(asViewer(creator), key.id), holder.username);
});

describe("the number of statements", () => {
  test("/keys/get asks for the token and the key together", async () => {
    const { sent, body } = await statementsOfAsking<KeyRecord>(get, `/keys/get/${key.id}?auth=${holder.token}`);
    expect(body.data).toBe("secret");
    expect(sent).toHaveLength(1);
  });

  test("/keys/get runs one more query for the holders, which only the manager sees", async () => {
    const { sent, body } = await statementsOfAsking<KeyRecord>(get, `/keys/get/${key.id}?auth=${creator.token}`);
    expect(Object.keys(body.users)).toHaveLength(2);
    expect(sent).toHaveLength(2);
  });

  test("/keys/check asks once", async () => {
    const { sent, body } = await statementsOfAsking<{ owned: boolean }>(
      check,
      `/keys/check/${holder.username}?key=${key.id}`,
    );
    expect(body.owned).toBe(true);
    expect(sent).toHaveLength(1);
  });

  test("/keys/mine with thousands of keys asks for pages of them, each with its holders", async () => {
    const rich = await makeUser();
    const count = sized(2_500, 10_000);
    await makeKeys(rich, rich, count);
    const { sent, body } = await statementsOfAsking<KeyRecord[]>(mine, `/keys/mine?auth=${rich.token}`);
    expect(body).toHaveLength(count);
    expect(sent.length).toBeLessThanOrEqual(1 + 2 * (count / 250 + 2));
  });

  test("/keys/mine with a limit asks for no more than that", async () => {
    const rich = await makeUser();
    await makeKeys(rich, rich, 600);
    const { sent, body } = await statementsOfAsking<KeyRecord[]>(mine, `/keys/mine?auth=${rich.token}&limit=20`);
    expect(body).toHaveLength(20);
    // The caller, where the next page begins, and two pages with their holders.
    expect(sent).toHaveLength(6);
  });

  test("the count sees statements inside transactions too", async () => {
    const sent = await statementsOf(() => createKey(asViewer(creator), { data: "other", price: "1" }));
    expect(sent.filter((sql) => /INSERT/i.test(sql))).toHaveLength(3);
    expect(await db.key.count({ where: { creatorId: creator.id } })).toBe(2);
  });

  test("the count leaves out who was last seen, alone or committed together with other changes", async () => {
    const createdAt = new Date(Date.now() - 60_000);
    const [seen, other] = (await makeUsers(2, { createdAt })) as [TestUser, TestUser];
    for (const { id } of [seen, other]) await transaction((tx) => keepKind(tx, id));
    recordSeen(seen.id);
    expect(await statementsOf(writeSeen)).toEqual([]);
    recordSeen(other.id);
    const changing = () => createKey(asViewer(creator), { data: "other", price: "1" });
    const [together, alone] = [
      await statementsOf(() => Promise.all([changing(), writeSeen()])),
      await statementsOf(changing),
    ];
    expect(together).toEqual(alone);
    const userId = { in: [seen.id, other.id] };
    expect(await db.userSummary.count({ where: { userId, seenAt: { gt: createdAt } } })).toBe(2);
  });
});
