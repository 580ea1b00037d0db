import { beforeEach, describe, expect, test } from "vitest";
import { routes } from "@/app/(api)/routes";
import { auditTrail } from "@/lib/audit";
import { replaceToken } from "@/lib/auth/rotate-token";
import { db, transaction } from "@/lib/db/client";
import { env } from "@/lib/env";
import { createKey } from "@/lib/keys/create";
import { deleteKey } from "@/lib/keys/delete";
import { findKey } from "@/lib/keys/find";
import { addHolder, revokeHolder } from "@/lib/keys/holders";
import { acceptOffer } from "@/lib/keys/offers/accept";
import { offerKey } from "@/lib/keys/offers/offer";
import { forgetUserKeys } from "@/lib/sealing/user-keys";
import type { Caller } from "@/lib/user";
import { statementsOf } from "@/tests/support/statements";
import { makeUser, makeUsers, type TestUser } from "@/tests/support/user";

let creator: TestUser;
let asCreator: Caller;
let id: string;

async function call(path: string, { token }: { token: string }) {
  const [pattern] = /^\/keys\/\w+/.exec(path) ?? [];
  const response = await routes[`${pattern}/{id}`]?.GET(
    new Request(`http://localhost${path}${path.includes("?") ? "&" : "?"}auth=${token}`),
  );
  return { status: response?.status, body: await response?.json() };
}

const change = (data: string, caller: { token: string } = creator) =>
  call(`/keys/update/${id}?key=data&data=${data}`, caller);
const stored = async () => (await call(`/keys/get/${id}`, creator)).body.data;
const changes = async () => (await auditTrail({ subjectId: id, action: "key.update" }, 100)).length;

beforeEach(async () => {
  creator = await makeUser();
  asCreator = { id: creator.id, username: creator.username, role: "user" };
  id = (await createKey(asCreator, { data: "0123456789", price: "1", name: "Name" })).id;
  expect((await change("first")).status).toBe(200);
});

describe("the next change of a creator", () => {
  test("reads nothing before it writes, and answers as every change does", async () => {
    const holder = await makeUser();
    await addHolder(asCreator, await findKey(asCreator, id), holder.username);
    const sent = await statementsOf(async () => {
      const { body } = await change("next");
      const record = (await call(`/keys/get/${id}`, creator)).body;
      expect(body).toEqual({
        ...record,
        success: true,
        status: body.message,
        message: "Key updated successfully",
        changed: true,
      });
      expect(record).toMatchObject({ data: "next", name: "Name", creator: creator.username, isCreator: true });
      expect(Object.keys(record.users)).toEqual([creator.username, holder.username]);
    });
    const [first = ""] = sent.filter((text) => /"Key"/.test(text));
    expect(first).toMatch(/UPDATE "Key"/);
    // The change with its event, its holders, and what `get` reads.
    const statements = sent.filter((text) => /"(?:Key|Holder|AuditEvent)"/.test(text)).length;
    expect(statements).toBe(env.DATABASE_URL ? 4 : 5);
    expect(await auditTrail({ subjectId: id, action: "key.update" }, 100)).toMatchObject([
      { actorId: creator.id, detail: { field: "data" } },
      { actorId: creator.id, detail: { field: "data" } },
    ]);
  });

  test("may make the data longer, up to the quota", async () => {
    expect(await change("x".repeat(500))).toMatchObject({ status: 200, body: { data: "x".repeat(500) } });
    await db.user.update({ where: { id: creator.id }, data: { mostKeyBytes: 500 } });
    expect(await change("x".repeat(501))).toMatchObject({ status: 403, body: { code: "key_limit" } });
    expect(await change("y".repeat(500))).toMatchObject({ status: 200 });
    expect(await stored()).toBe("y".repeat(500));
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
    const holders = await makeUsers(8);
    const row = await findKey(asCreator, id);
    const [answers] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, (_, n) => change(`${n}`))),
      ...holders.map(async ({ username }) => {
        await addHolder(asCreator, row, username);
        await revokeHolder(asCreator, row, username);
      }),
    ]);
    for (const [n, { status, body }] of answers.entries()) {
      expect([n, status, body.data]).toEqual([n, 200, `${n}`]);
      expect(body.users).toHaveProperty(creator.username);
    }
    expect(await changes()).toBe(21);
    expect(answers.map(({ body }) => body.data)).toContain(await stored());
    expect(Object.keys((await change("last")).body.users)).toEqual([creator.username]);
  });
});

describe("what this process remembers of a creator gives nobody a right", () => {
  test("with a token that was replaced", async () => {
    const token = await transaction((tx) => replaceToken(tx, creator.id, creator.id, new Date()));
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
    const next = await makeUser();
    await offerKey(asCreator, await findKey(asCreator, id), next.username);
    await acceptOffer({ id: next.id, username: next.username, role: "user" }, id);
    expect(await change("mine")).toMatchObject({ status: 403, body: { code: "not_creator" } });
    expect(await stored()).toBe("first");
    expect(await change("theirs", next)).toMatchObject({ status: 200, body: { creator: next.username } });
  });

  test("over a key that was deleted, or another's", async () => {
    const other = await makeUser();
    const asOther = { id: other.id, username: other.username, role: "user" };
    const foreign = (await createKey(asOther, { data: "0123456789", price: "1" })).id;
    const path = `/keys/update/${foreign}?key=data&data=next`;
    expect(await call(path, creator)).toMatchObject({ status: 403, body: { code: "not_creator" } });
    await deleteKey(asCreator, await findKey(asCreator, id));
    expect(await change("next")).toMatchObject({ status: 404, body: { code: "key_not_found" } });
  });
});
