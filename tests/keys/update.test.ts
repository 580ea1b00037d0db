import { beforeEach, describe, expect, test } from "vitest";
import { routes } from "@/app/(api)/routes";
import { typable } from "@/components/words";
import { findKey } from "@/lib/keys/access";
import { deleteKey } from "@/lib/keys/delete";
import { trailOf, trailOfDeleted } from "@/lib/keys/history";
import type { KeyRow } from "@/lib/keys/queries";
import { changeable } from "@/lib/keys/schema";
import { updateKey } from "@/lib/keys/update";
import { audit, auditTrail } from "@/lib/platform/audit";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { codeOf } from "@/tests/support/statements";
import { add, makeAdmin, newKey, type People, patiently, people, person, revoke } from "./keys";

let [creator, other] = [] as unknown as People;
let id: string;

async function call(of: "get" | "update", query = "") {
  const request = new Request(`http://localhost/keys/${of}/${id}?auth=${creator.token}${query}`);
  const response = await routes[`/keys/${of}/{id}`]?.GET(request);
  return { status: response?.status, body: await response?.json() };
}

const change = (data: string) => call("update", `&key=data&data=${data}`);
const stored = async () => (await call("get")).body.data;
const changes = async () => (await auditTrail({ subjectId: id, action: "key.update" }, 100)).length;

beforeEach(async () => {
  [creator, other] = await people(2);
  id = await newKey(creator, { data: "0123456789", name: "Name" });
  expect((await change("first")).status).toBe(200);
});

describe("the next change of a creator", () => {
  test("may make the data longer, up to the quota", async () => {
    expect(await change("x".repeat(500))).toMatchObject({ status: 200, body: { data: "x".repeat(500) } });
    await db.user.update({ where: { id: creator.id }, data: { mostKeyBytes: 510 } });
    expect(await change("x".repeat(511))).toMatchObject({ status: 403, body: { code: "key_limit" } });
    // What it had before does not count beside it.
    expect(await change("y".repeat(510))).toMatchObject({ status: 200 });
    expect(await stored()).toBe("y".repeat(510));
    expect(await changes()).toBe(3);
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

describe("what happened to a key", () => {
  let [holder, admin] = [] as unknown as People;
  let key: string;
  let row: KeyRow;
  beforeEach(async () => {
    [holder, admin] = [await person(), await makeAdmin()] as unknown as People;
    key = await newKey(creator, { data: "the old secret", name: "Pass" });
    row = await findKey(creator, key);
    await add(creator, key, holder);
    await updateKey(creator, row, { field: "data", value: "the new secret" });
    const access = { access: "everything", audiences: null, party: "", expiresAt: null } as const;
    await revoke({ ...holder, accessToken: { id: newId(), name: "My private tool", ...access } }, key, holder);
  });

  test("is shown to its manager, newest first, by name, without data and what holders use", async () => {
    const events = await trailOf(creator, row, { limit: 10 });
    expect(events.map(({ action, actor, detail }) => ({ action, actor, detail }))).toEqual([
      { action: "key.revoke", actor: holder.username, detail: { user: holder.username } },
      { action: "key.update", actor: creator.username, detail: { field: "data" } },
      { action: "key.add", actor: creator.username, detail: { user: holder.username } },
      { action: "key.create", actor: creator.username, detail: {} },
    ]);
  });

  test("comes in pages", async () => {
    const first = await trailOf(creator, row, { limit: 2 });
    const rest = await trailOf(creator, row, { limit: 10, before: first.at(-1)?.id });
    expect([...first, ...rest]).toEqual(await trailOf(creator, row, { limit: 10 }));
    expect([first.length, rest.length]).toEqual([2, 2]);
  });

  test("is not told to holders and others, but to an admin", async () => {
    for (const user of [holder, other]) expect(await codeOf(trailOf(user, row, { limit: 10 }))).toBe("not_creator");
    expect(await trailOf(admin, row, { limit: 10 })).toHaveLength(4);
  });

  test("stays known to its creator and to an admin when the key is deleted, and to nobody else", async () => {
    await deleteKey(creator, row);
    const events = await trailOfDeleted(creator, key, { limit: 10 });
    expect(events).toHaveLength(5);
    expect(events[0]).toMatchObject({ action: "key.delete", actor: creator.username, detail: { name: "Pass" } });
    expect(await trailOfDeleted(admin, key, { limit: 10 })).toEqual(events);
    for (const user of [holder, other])
      expect(await codeOf(trailOfDeleted(user, key, { limit: 10 }))).toBe("key_not_found");
    expect(await codeOf(trailOfDeleted(admin, newId(), { limit: 10 }))).toBe("key_not_found");
  });

  test("outlives the actor's account, without its name", async () => {
    await db.user.delete({ where: { id: creator.id } });
    const events = await trailOfDeleted(admin, key, { limit: 10 });
    expect(events.map(({ actor }) => actor)).toEqual([holder.username, null, null, null]);
  });
});

test("events of one millisecond keep the order in which they were written", async () => {
  const subjectId = newId();
  const at = new Date();
  for (let index = 0; index < 50; index++)
    await audit({ at, action: "key.update", subjectId, actorId: null, detail: { field: String(index) } });
  const fields = (await auditTrail({ subjectId }, 100)).map(({ detail }) => Number(detail.field));
  expect(fields).toEqual(Array.from({ length: 50 }, (_, index) => 49 - index));
});

test("a price with a comma is refused with the one that was probably meant", () => {
  expect(changeable.price.safeParse("1,50").error?.issues).toMatchObject([
    { message: "must be written with a point: 1.50" },
  ]);
});

test.each([
  ["plain", "plain"],
  ["  blanks  around ", "blanks around"],
  ["a\ttab\nand a newline", "a tab and a newline"],
  ["cafe\u0301", "caf\u00e9"],
  ["zero\u200bwidth\u202e", "zerowidth"],
  ["\u00a0no\u00a0break", "no break"],
  ["\u200b\u0007", ""],
  ["", ""],
])("the name %j can be typed as %j", (name, text) => {
  expect(typable(name)).toBe(text);
  expect(typable(text)).toBe(text);
});
