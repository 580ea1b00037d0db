import { beforeEach, describe, expect, test } from "vitest";
import { routes } from "@/app/(api)/routes";
import { replaceToken } from "@/lib/accounts/token";
import { findKey } from "@/lib/keys/access";
import { deleteKey } from "@/lib/keys/delete";
import { acceptOffer, offerKey } from "@/lib/keys/offers";
import { auditTrail } from "@/lib/platform/audit";
import { forgetUserKeys } from "@/lib/platform/crypto/user-keys";
import { db, transaction } from "@/lib/platform/db/client";
import { add, newKey, type People, patiently, people, revoke } from "./keys";

let [creator, other] = [] as unknown as People;
let id: string;

async function call(of: "get" | "update", { token }: { token: string }, { query = "", key = id } = {}) {
  const request = new Request(`http://localhost/keys/${of}/${key}?auth=${token}${query}`);
  const response = await routes[`/keys/${of}/{id}`]?.GET(request);
  return { status: response?.status, body: await response?.json() };
}

const change = (data: string, caller: { token: string } = creator, key = id) =>
  call("update", caller, { query: `&key=data&data=${data}`, key });
const stored = async () => (await call("get", creator)).body.data;
const changes = async () => (await auditTrail({ subjectId: id, action: "key.update" }, 100)).length;

beforeEach(async () => {
  [creator, other] = await people(2);
  id = await newKey(creator, { data: "0123456789", name: "Name" });
  expect((await change("first")).status).toBe(200);
});

describe("the next change of a creator", () => {
  test("answers as every change does", async () => {
    await add(creator, id, other);
    const { body } = await change("next");
    const record = (await call("get", creator)).body;
    expect(body).toEqual({
      ...record,
      success: true,
      status: body.message,
      message: "Key updated successfully",
      changed: true,
    });
    expect(record).toMatchObject({ data: "next", name: "Name", creator: creator.username, isCreator: true });
    expect(Object.keys(record.users)).toEqual([creator.username, other.username]);
    expect(await auditTrail({ subjectId: id, action: "key.update" }, 100)).toMatchObject([
      { actorId: creator.id, detail: { field: "data" } },
      { actorId: creator.id, detail: { field: "data" } },
    ]);
  });

  test("may make the data longer, up to the quota", async () => {
    expect(await change("x".repeat(500))).toMatchObject({ status: 200, body: { data: "x".repeat(500) } });
    await db.user.update({ where: { id: creator.id }, data: { mostKeyBytes: 510 } });
    expect(await change("x".repeat(511))).toMatchObject({ status: 403, body: { code: "key_limit" } });
    // What it had before does not count beside it.
    expect(await change("y".repeat(510))).toMatchObject({ status: 200 });
    expect(await stored()).toBe("y".repeat(510));
    expect(await changes()).toBe(3);
  });

  test("is found by another process's change of the role", async () => {
    await db.user.update({ where: { id: creator.id }, data: { role: "admin" } });
    expect(await change("next")).toMatchObject({ status: 200, body: { data: "next" } });
    expect(await change("again")).toMatchObject({ status: 200, body: { data: "again" } });
    expect(await changes()).toBe(3);
  });

  test("reseals under the key that the user has by then", async () => {
    forgetUserKeys();
    expect(await change("next")).toMatchObject({ status: 200, body: { data: "next" } });
    expect(await stored()).toBe("next");
  });

  test("is one of many at once: each is answered with its own data, and recorded", async () => {
    const holders = await people(4);
    const [responses] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, (_, n) => change(`${n}`))),
      ...holders.map(async (holder) => {
        await patiently(() => add(creator, id, holder));
        await patiently(() => revoke(creator, id, holder));
      }),
    ]);
    for (const [n, { status, body }] of responses.entries()) {
      expect([n, status, body.data]).toEqual([n, 200, `${n}`]);
      expect(body.users).toHaveProperty(creator.username);
    }
    expect(await changes()).toBe(11);
    expect(responses.map(({ body }) => body.data)).toContain(await stored());
    expect(Object.keys((await change("last")).body.users)).toEqual([creator.username]);
  });
});

describe("what this process remembers of a creator gives nobody a right", () => {
  test("with a token that was replaced", async () => {
    const token = await transaction((tx) => replaceToken(tx, creator.id, { actorId: creator.id, now: new Date() }));
    expect(await change("stolen")).toMatchObject({ status: 401, body: { code: "invalid_token" } });
    creator = { ...creator, token };
    expect(await stored()).toBe("first");
    expect(await change("next")).toMatchObject({ status: 200, body: { data: "next" } });
  });

  test("whose account was disabled", async () => {
    await db.user.update({ where: { id: creator.id }, data: { disabledAt: new Date() } });
    expect(await change("next")).toMatchObject({ status: 403, body: { code: "account_disabled" } });
    await db.user.update({ where: { id: creator.id }, data: { disabledAt: null } });
    expect(await stored()).toBe("first");
    expect(await changes()).toBe(1);
  });

  test("whose account was deleted", async () => {
    await db.user.delete({ where: { id: creator.id } });
    expect(await change("next")).toMatchObject({ status: 401, body: { code: "invalid_token" } });
    forgetUserKeys();
    expect(await change("next")).toMatchObject({ status: 401, body: { code: "invalid_token" } });
    expect(await changes()).toBe(1);
  });

  test("who handed the key over", async () => {
    await offerKey(creator, await findKey(creator, id), other.username);
    await acceptOffer(other, id);
    expect(await change("mine")).toMatchObject({ status: 403, body: { code: "not_creator" } });
    expect(await stored()).toBe("first");
    expect(await change("theirs", other)).toMatchObject({ status: 200, body: { creator: other.username } });
  });

  test("over a key that was deleted, or another's", async () => {
    const foreign = await newKey(other, { data: "0123456789" });
    expect(await change("next", creator, foreign)).toMatchObject({ status: 403, body: { code: "not_creator" } });
    await deleteKey(creator, await findKey(creator, id));
    expect(await change("next")).toMatchObject({ status: 404, body: { code: "key_not_found" } });
  });
});
