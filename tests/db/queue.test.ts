import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { db, transaction } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { makeUser, newSession } from "@/tests/support/user";

class Regret extends Error {}

const event = (subjectId: string) => ({ at: new Date(), action: "key.create", subjectId, actorId: null, detail: "{}" });

async function inLanes(lanes: number, count: number, work: (index: number) => Promise<void>) {
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < count; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

const COUNT = 200;

// Prisma's adapter has one connection, on which a statement runs inside whoever's transaction is open: used naively, it
// lost 98 % of the answered writes in this test.
describe("statements beside transactions", () => {
  test("answered creates outlive transactions that await other things and roll back", async () => {
    const [kept, lost] = [newId(), newId()];
    const creates = inLanes(20, COUNT, async () => {
      await db.auditEvent.create({ data: event(kept) });
    });
    const regrets = inLanes(20, COUNT, async (index) => {
      const work = transaction(async (tx) => {
        await tx.auditEvent.create({ data: event(lost) });
        await (index % 2 ? sleep(1) : new Promise(setImmediate));
        await tx.auditEvent.create({ data: event(lost) });
        throw new Regret();
      });
      await expect(work).rejects.toThrow(Regret);
    });
    await Promise.all([creates, regrets]);
    expect(await db.auditEvent.count({ where: { subjectId: kept } })).toBe(COUNT);
    expect(await db.auditEvent.count({ where: { subjectId: lost } })).toBe(0);
  });

  test("what a transaction has not committed is seen by nobody else", async () => {
    const subject = newId();
    // Prisma's promises begin only when somebody awaits them.
    const seen = async () => await db.auditEvent.count({ where: { subjectId: subject } });
    let [inside, outside]: [number, Promise<number> | undefined] = [0, undefined];
    const open = transaction(async (tx) => {
      await tx.auditEvent.create({ data: event(subject) });
      outside = seen();
      inside = await tx.auditEvent.count({ where: { subjectId: subject } });
      await sleep(100);
      throw new Regret();
    });
    await expect(open).rejects.toThrow(Regret);
    expect([inside, await outside]).toEqual([1, 0]);
  });

  test("batches and nested writes hold the turn too", async () => {
    const subject = newId();
    const user = await makeUser();
    const batches = inLanes(10, 50, async () => {
      await db.$transaction([
        db.auditEvent.create({ data: event(subject) }),
        db.auditEvent.create({ data: event(subject) }),
      ]);
    });
    const broken = inLanes(10, 50, async () => {
      const again = newSession(user.id);
      const batch = db.$transaction([db.session.create({ data: again }), db.session.create({ data: again })]);
      await expect(batch).rejects.toMatchObject({ code: "P2002" });
    });
    await Promise.all([batches, broken]);
    expect(await db.auditEvent.count({ where: { subjectId: subject } })).toBe(100);
    expect(await db.session.count({ where: { userId: user.id } })).toBe(0);
  });
});
