import { describe, expect, test } from "vitest";
import { eventWords } from "@/components/events";
import { findKey } from "@/lib/keys/access";
import { deleteKey } from "@/lib/keys/delete";
import { countedChanges, trailOfDeleted } from "@/lib/keys/history";
import { updateKey } from "@/lib/keys/update";
import { auditPage } from "@/lib/operator/audit/page";
import { audit, auditAll, auditEvents } from "@/lib/platform/audit";
import { ACCOUNT_EVENTS_A_DAY } from "@/lib/platform/bounds";
import { db, transaction } from "@/lib/platform/db/client";
import { addCounted, COUNTED } from "@/lib/platform/limits/events";
import { activityOf } from "@/lib/user-data/activity";
import { add, newKey, type Person, people, person } from "../keys/keys";

const update = async (caller: Person, key: string, value: string) =>
  updateKey(caller, await findKey(caller, key), { field: "name", value });
const recorded = (actorId: string, action: string) =>
  db.auditEvent.count({ where: { actorId, action, subjectId: { not: COUNTED } } });
const counted = (actorId: string) =>
  db.auditEvent.findMany({ where: { actorId, subjectId: COUNTED }, orderBy: { id: "asc" } });

/** As other processes have recorded them today. */
async function recordElsewhere(actorId: string, action: string, count: number, at = new Date()) {
  const event = { at, action, subjectId: "elsewhere", actorId, detail: "{}" };
  for (let from = 0; from < count; from += 1_000)
    await db.auditEvent.createMany({ data: Array.from({ length: Math.min(1_000, count - from) }, () => event) });
}

/** In this process. */
const recordHere = (actorId: string, action: "key.update" | "key.add", count: number, at = new Date()) =>
  auditAll(
    Array.from({ length: count }, () => ({ at, action, subjectId: "here", actorId })),
    db,
  );

/** Elsewhere, and here until this process knows: the last of these events is only counted. */
async function useUpShare(actorId: string, action: "key.update" | "key.add", at = new Date()) {
  await recordElsewhere(actorId, action, ACCOUNT_EVENTS_A_DAY, at);
  await recordHere(actorId, action, 100, at);
  await expect
    .poll(async () => {
      await recordHere(actorId, action, 1, at);
      await addCounted();
      return (await counted(actorId)).length;
    })
    .toBe(1);
}

describe("events of an account", () => {
  test("are recorded one by one up to its share of the day, and then counted by the hour", async () => {
    const [caller, other] = await people(2);
    const key = await newKey(caller);
    await useUpShare(caller.id, "key.update");
    const before = await recorded(caller.id, "key.update");
    for (let n = 0; n < 3; n++) expect(await update(caller, key, `name ${n}`)).toMatchObject({ name: `name ${n}` });
    expect(await recorded(caller.id, "key.update")).toBe(before);
    await addCounted();
    expect((await counted(caller.id)).map(({ action, detail }) => [action, JSON.parse(detail).more])).toEqual([
      ["key.update", "4"],
    ]);

    // Other kinds, and other accounts, are recorded as before: a flood hides nothing.
    await add(caller, key, other);
    expect(await recorded(caller.id, "key.add")).toBe(1);
    expect(await recorded(caller.id, "key.create")).toBe(1);
    const theirs = await newKey(other);
    await update(other, theirs, "new");
    expect(await recorded(other.id, "key.update")).toBe(1);

    // The same event says how many more.
    await transaction((tx) => audit({ at: new Date(), action: "key.update", subjectId: key, actorId: caller.id }, tx));
    await addCounted();
    const [event, ...more] = await counted(caller.id);
    expect([JSON.parse(event?.detail ?? "{}").more, more]).toEqual(["5", []]);
  });

  test("that are only counted are said so in the audit trail, the activity and the history of the key", async () => {
    const caller = await person();
    const key = await newKey(caller);
    await useUpShare(caller.id, "key.update");
    await update(caller, key, "new");
    await addCounted();
    const words =
      /^2 more events with keys \(key\.update\) in the hour from \d{4}-\d\d-\d\d \d\d:00 UTC, counted and not listed$/;
    const said = (event: { action: string; detail: Record<string, string> } | undefined) =>
      event && eventWords({ ...event, browser: "" }, "The account");
    const { events } = await auditPage({ actorId: caller.id, subjectId: COUNTED }, 10);
    expect(events.map(said)).toEqual([expect.stringMatching(words)]);
    expect(said((await activityOf(caller.id, { size: 10 })).events[0])).toMatch(words);
    const row = await findKey(caller, key);
    expect((await countedChanges(caller, row)).map(said)).toEqual([expect.stringMatching(words)]);
    await expect(countedChanges(await person(), row)).rejects.toMatchObject({ code: "not_creator" });

    // Also of a key that is younger than the first of them.
    const younger = await newKey(caller);
    await update(caller, younger, "new");
    await addCounted();
    expect(await countedChanges(caller, await findKey(caller, younger))).toHaveLength(1);
  });

  test("of an administrator are always recorded: they may be about what is others'", async () => {
    const caller = await person();
    const admin = { ...(await person()), role: "admin" };
    const key = await newKey(caller);
    await useUpShare(admin.id, "key.update");
    await update(admin, key, "new");
    expect(await db.auditEvent.count({ where: { actorId: admin.id, subjectId: key } })).toBe(1);
  });

  test("of who created a key before are said in its history, and whoever deletes it sees that", async () => {
    const [first, second] = await people(2);
    const key = await newKey(first);
    await useUpShare(first.id, "key.update");
    await db.key.update({ where: { id: key }, data: { creatorId: second.id } });
    const said = await countedChanges(second, await findKey(second, key));
    expect(said.map(({ actorId }) => actorId)).toEqual([first.id]);

    const unrecorded = await newKey(second);
    await db.auditEvent.deleteMany({ where: { subjectId: unrecorded } });
    await deleteKey(second, await findKey(second, unrecorded));
    expect((await trailOfDeleted(second, unrecorded, { limit: 5 })).map(({ action }) => action)).toEqual([
      "key.delete",
    ]);
    await expect(trailOfDeleted(first, unrecorded, { limit: 5 })).rejects.toMatchObject({ code: "key_not_found" });
  });

  test("of other processes, or from before a restart, are part of the share", async () => {
    const caller = await person();
    await recordElsewhere(caller.id, "key.add", 500);
    await recordElsewhere(caller.id, "key.update", ACCOUNT_EVENTS_A_DAY - 50);
    await recordElsewhere(caller.id, "key.update", 10, new Date(Date.now() - 2 * 86_400_000));
    await recordHere(caller.id, "key.update", 100);
    await expect
      .poll(async () => {
        await recordHere(caller.id, "key.update", 20);
        await addCounted();
        return (await counted(caller.id)).length;
      })
      .toBe(1);
    expect(await recorded(caller.id, "key.update")).toBeLessThan(ACCOUNT_EVENTS_A_DAY + 10 + 300);
    expect(await recorded(caller.id, "key.add")).toBe(500);
  });

  test("of changes that were refused are not counted", async () => {
    const caller = await person();
    const key = await newKey(caller);
    await useUpShare(caller.id, "key.update");
    await db.user.update({ where: { id: caller.id }, data: { mostKeyBytes: 20 } });
    const change = async (value: string) => updateKey(caller, await findKey(caller, key), { field: "data", value });
    for (let n = 0; n < 3; n++) await expect(change("x".repeat(21))).rejects.toMatchObject({ code: "key_limit" });
    expect(await change("x".repeat(20))).toMatchObject({ data: "x".repeat(20) });
    await addCounted();
    expect((await counted(caller.id)).map(({ detail }) => JSON.parse(detail).more)).toEqual(["2"]);
  });

  test("that were not written after all use up nothing, and hide none that is", async () => {
    const caller = await person();
    const key = await newKey(caller);
    const event = { at: new Date(), action: "key.update", subjectId: key, actorId: caller.id } as const;
    for (let n = 0; n < 12; n++) {
      auditEvents(...Array(1_000).fill(event));
      await recordElsewhere(caller.id, "key.add", 1);
    }
    await update(caller, key, "new");
    expect(await recorded(caller.id, "key.update")).toBe(1);
  });

  test("of the next day have a share of their own, and each hour an event of its own", async () => {
    const caller = await person();
    const day = Math.floor(Date.now() / 86_400_000) * 86_400_000;
    const at = (hour: number) => new Date(day + hour * 3_600_000);
    await useUpShare(caller.id, "key.add", at(1));
    const before = await recorded(caller.id, "key.add");
    await recordHere(caller.id, "key.add", 3, at(2));
    await addCounted();
    expect((await counted(caller.id)).map(({ detail }) => JSON.parse(detail))).toEqual([
      { more: "1", hour: at(1).toISOString() },
      { more: "3", hour: at(2).toISOString() },
    ]);
    await recordHere(caller.id, "key.add", 1, at(24));
    expect(await recorded(caller.id, "key.add")).toBe(before + 1);
  });

  test("of nobody, and of the admin command, are not counted", async () => {
    const [subjectId] = [`of nobody ${Date.now()}`];
    for (const actorId of [null, "operator"])
      await auditAll(
        Array.from({ length: ACCOUNT_EVENTS_A_DAY + 1 }, () => ({
          at: new Date(),
          action: "link.look" as const,
          subjectId,
          actorId,
        })),
        db,
      );
    expect(await db.auditEvent.count({ where: { subjectId } })).toBe(2 * ACCOUNT_EVENTS_A_DAY + 2);
    await db.auditEvent.deleteMany({ where: { subjectId } });
  });
});
