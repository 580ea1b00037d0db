import { describe, expect, test } from "vitest";
import { audit, auditTrail } from "@/lib/audit";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/ids";
import { createKey } from "@/lib/keys/create";
import { deleteKey } from "@/lib/keys/delete";
import { findKey } from "@/lib/keys/find";
import { addHolder, revokeHolder } from "@/lib/keys/holders";
import { trailOf, trailOfDeleted } from "@/lib/keys/trail";
import { updateKey } from "@/lib/keys/update";
import { makeUser } from "../support/user";

const asViewer = (user: { id: string; username: string }, role = "user") => ({ ...user, role });

async function busyKey() {
  const [creator, holder, other] = await Promise.all([makeUser(), makeUser(), makeUser()]);
  const key = await createKey(asViewer(creator), { data: "the old secret", price: "1", name: "Pass" });
  const row = await findKey(asViewer(creator), key.id);
  await addHolder(asViewer(creator), row, holder.username);
  await updateKey(asViewer(creator), row, { field: "data", value: "the new secret" });
  await revokeHolder(asViewer(holder), row, holder.username);
  return { creator, holder, other, key, row };
}

describe("what happened to a key", () => {
  test("is shown to its manager, newest first, by name, without the values", async () => {
    const { creator, holder, row } = await busyKey();
    const events = await trailOf(asViewer(creator), row, 10);
    expect(events.map(({ action, actor, detail }) => ({ action, actor, detail }))).toEqual([
      { action: "key.revoke", actor: holder.username, detail: { user: holder.username } },
      { action: "key.update", actor: creator.username, detail: { field: "data" } },
      { action: "key.add", actor: creator.username, detail: { user: holder.username } },
      { action: "key.create", actor: creator.username, detail: {} },
    ]);
    expect(JSON.stringify(events)).not.toContain("secret");
  });

  test("comes in pages", async () => {
    const { creator, row } = await busyKey();
    const whole = await trailOf(asViewer(creator), row, 10);
    const first = await trailOf(asViewer(creator), row, 2);
    const rest = await trailOf(asViewer(creator), row, 10, first.at(-1)?.id);
    expect([...first, ...rest]).toEqual(whole);
    expect(rest).toHaveLength(2);
  });

  test("is not told to holders and others, but to an admin", async () => {
    const { holder, other, row } = await busyKey();
    for (const user of [holder, other])
      await expect(trailOf(asViewer(user), row, 10)).rejects.toMatchObject({ status: 403, code: "not_creator" });
    expect(await trailOf(asViewer(other, "admin"), row, 10)).toHaveLength(4);
  });

  test("stays known to its creator and to an admin when the key is deleted, and to nobody else", async () => {
    const { creator, holder, other, key, row } = await busyKey();
    await deleteKey(asViewer(creator), row);
    const events = await trailOfDeleted(asViewer(creator), key.id, 10);
    expect(events).toHaveLength(5);
    expect(events[0]).toMatchObject({ action: "key.delete", actor: creator.username, detail: { name: "Pass" } });
    expect(await trailOfDeleted(asViewer(other, "admin"), key.id, 10)).toEqual(events);
    for (const user of [holder, other])
      await expect(trailOfDeleted(asViewer(user), key.id, 10)).rejects.toMatchObject({ code: "key_not_found" });
    await expect(trailOfDeleted(asViewer(other, "admin"), newId(), 10)).rejects.toMatchObject({
      code: "key_not_found",
    });
  });

  test("outlives the actor's account, without its name", async () => {
    const { creator, key, other } = await busyKey();
    await db.user.delete({ where: { id: creator.id } });
    const events = await trailOfDeleted(asViewer(other, "admin"), key.id, 10);
    expect(events).toHaveLength(4);
    expect(events.filter(({ actorId }) => actorId === creator.id).every(({ actor }) => actor === null)).toBe(true);
  });
});

test("events of one millisecond keep the order in which they were written", async () => {
  const subjectId = newId();
  const at = new Date();
  for (let index = 0; index < 50; index++)
    await audit({ at, action: "key.update", subjectId, actorId: null, detail: { field: String(index) } });
  const told = (await auditTrail({ subjectId }, 100)).map(({ detail }) => Number(detail.field));
  expect(told).toEqual(Array.from({ length: 50 }, (_, index) => 49 - index));
});

test("what one user did is found over all keys", async () => {
  const user = await makeUser();
  for (const name of ["one", "two"]) await createKey(asViewer(user), { data: "x", price: "0", name });
  expect((await auditTrail({ actorId: user.id }, 10)).map(({ action, actor }) => [action, actor])).toEqual([
    ["key.create", user.username],
    ["key.create", user.username],
  ]);
});
