import { beforeEach, describe, expect, test } from "vitest";
import { findKey } from "@/lib/keys/access";
import { deleteKey } from "@/lib/keys/delete";
import type { KeyRow } from "@/lib/keys/queries";
import { updateKey } from "@/lib/keys/update";
import { trailOf, trailOfDeleted } from "@/lib/keys/view";
import { audit, auditTrail } from "@/lib/platform/audit";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { add, codeOf, makeAdmin, newKey, type People, people, revoke } from "./keys";

let [creator, holder, other, admin] = [] as unknown as People;
let key: string;
let row: KeyRow;

beforeEach(async () => {
  [creator, holder, other] = await people(3);
  admin = await makeAdmin();
  key = await newKey(creator, { data: "the old secret", name: "Pass" });
  row = await findKey(creator, key);
  await add(creator, key, holder);
  await updateKey(creator, row, { field: "data", value: "the new secret" });
  const proving = { audiences: null, party: "" };
  const accessToken = {
    id: newId(),
    name: "My private tool",
    access: "everything",
    expiresAt: null,
    ...proving,
  } as const;
  await revoke({ ...holder, accessToken }, key, holder);
});

describe("what happened to a key", () => {
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
