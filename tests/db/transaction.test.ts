import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { auditEvents } from "@/lib/platform/audit";
import { db, sql, transaction } from "@/lib/platform/db/client";
import * as errors from "@/lib/platform/db/errors";
import { lockUser } from "@/lib/platform/db/lock";
import { insert, rowShape, type SqlChange, sqlChange } from "@/lib/platform/db/statement";
import { newId, newOrderedId } from "@/lib/platform/ids";
import { makeUser, newSession } from "@/tests/support/user";

class Regret extends Error {}

test("a transaction happens completely and returns the result of its work, or leaves nothing behind", async () => {
  const { id } = await makeUser();
  const sessions = () => db.session.count({ where: { userId: id } });
  const broken = transaction(async (tx) => {
    await tx.session.create({ data: newSession(id) });
    throw new Regret();
  });
  await expect(broken).rejects.toThrow(Regret);
  expect(await sessions()).toBe(0);
  const done = transaction(async (tx) => {
    for (const _ of [1, 2]) await tx.session.create({ data: newSession(id) });
    return "done";
  });
  expect([await done, await sessions()]).toEqual(["done", 2]);
});

describe("a row that is locked first", () => {
  test("is counted right by 20 concurrent transactions", async () => {
    const { id } = await makeUser();
    const LIMIT = 7;
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () =>
        transaction(async (tx) => {
          await lockUser(tx, id);
          if ((await tx.session.count({ where: { userId: id } })) >= LIMIT) return false;
          await tx.session.create({ data: newSession(id) });
          return true;
        }),
      ),
    );
    expect(outcomes.filter((isCreated) => isCreated)).toHaveLength(LIMIT);
    expect(await db.session.count({ where: { userId: id } })).toBe(LIMIT);
  });

  test("that is not there says so", async () => {
    expect(await transaction((tx) => lockUser(tx, newId()))).toBe(false);
  });
});

describe("a batch", () => {
  const disabled = rowShape({ u: "User" }, { username: "u.username" });
  const disable = (id: string) => disabled.returning`UPDATE "User" SET "disabledAt" = ${new Date()} WHERE "id" = ${id}`;
  const entry = { at: new Date(), action: "user.disable", subjectId: newId(), actorId: null } as const;
  const event = (id: string) => auditEvents({ at: new Date(), action: "user.disable", subjectId: id, actorId: null });
  const events = (id: string) => db.auditEvent.count({ where: { subjectId: id } });

  test("makes the change and what goes with it, and answers the changed row", async () => {
    const { id, username } = await makeUser();
    expect(await sql.batch([disable(id), event(id)])).toEqual([{ username }]);
    expect(await events(id)).toBe(1);
  });

  test("makes what goes with a change once, however many rows that answers", async () => {
    const [one, two] = [await makeUser(), await makeUser()];
    const both = disabled.returning`
      UPDATE "User" SET "disabledAt" = ${new Date()} WHERE "id" IN (${one.id}, ${two.id})`;
    expect(await sql.batch([both, event(one.id)])).toHaveLength(2);
    expect(await events(one.id)).toBe(1);
  });

  test("reads what it left, if it changed a row, and otherwise makes and reads nothing", async () => {
    const [{ id, username }, nobody] = [await makeUser(), newId()];
    const query = disabled.from`"User" u WHERE u."id" = ${id} AND u."disabledAt" IS NOT NULL`;
    const none = { written: [], rows: [] };
    expect(await sql.batchThenRead([disable(nobody), event(nobody)], query)).toEqual(none);
    const row = [{ username }];
    expect(await sql.batchThenRead([disable(id), event(id)], query)).toEqual({ written: row, rows: row });
    expect(await sql.batchThenRead([disable(nobody), event(nobody)], query)).toEqual(none);
    expect(await sql.batch([disable(nobody), event(nobody)])).toEqual([]);
    expect([await events(id), await events(nobody)]).toEqual([1, 0]);
  });

  test("makes nothing where one of it fails", async () => {
    const { id } = await makeUser();
    const failing = insert("Session", newSession(newId()));
    await expect(sql.batch([disable(id), failing])).rejects.toSatisfy(errors.isMissingReference);
    await expect(sql.batch([event(id), failing, event(id)])).rejects.toSatisfy(errors.isMissingReference);
    expect(await db.user.findUnique({ where: { id }, select: { disabledAt: true } })).toEqual({ disabledAt: null });
    expect(await events(id)).toBe(0);
  });

  test("returns rows of its first change only, followed by inserts only", async () => {
    const { id } = await makeUser();
    const end = sqlChange`DELETE FROM "Session" WHERE "userId" = ${id}`;
    const wrong: readonly SqlChange[][] = [
      [disable(id) as unknown as SqlChange, auditEvents(entry, entry)],
      [disable(id) as unknown as SqlChange, end],
      [event(id), disable(id) as unknown as SqlChange],
      [event(id), end],
    ];
    for (const changes of wrong) await expect(sql.batch(changes)).rejects.toThrow("batch");
    expect(await db.user.findUnique({ where: { id }, select: { disabledAt: true } })).toEqual({ disabledAt: null });
  });
});

const RECOGNISERS = Object.entries(errors).flatMap(([name, recognises]) =>
  typeof recognises === "function" && name.startsWith("is") ? [{ name, recognises }] : [],
);

async function recognised(work: Promise<unknown>): Promise<string[]> {
  const error = await work.then(() => undefined).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Error);
  return RECOGNISERS.flatMap(({ name, recognises }) => (recognises(error) === true ? [name] : []));
}

const ways = (row: ReturnType<typeof newSession>) => [
  () => db.session.create({ data: row }),
  () => transaction((tx) => tx.session.create({ data: row })),
  () => sql.batch([insert("Session", row)]),
  () => db.$executeRaw`INSERT INTO "Session" ("id", "userId", "createdAt", "expiresAt", "userAgent")
    VALUES (${row.id}, ${row.userId}, ${row.createdAt}, ${row.expiresAt}, '')`,
];

test("a value that exists already is recognised", async () => {
  const row = newSession((await makeUser()).id);
  await db.session.create({ data: row });
  for (const way of ways(row)) expect(await recognised(way())).toEqual(["isUniqueViolation"]);
});

test("a row that points to nobody is recognised", async () => {
  for (const way of ways(newSession(newId()))) expect(await recognised(way())).toEqual(["isMissingReference"]);
});

test("an error of our own is none of these", async () => {
  expect(await recognised(db.$queryRaw`SELECT "nothing" FROM "User"`)).toEqual([]);
  expect(await recognised(db.user.update({ where: { id: newId() }, data: { role: "admin" } }))).toEqual([]);
});

const ANY_TIME = {
  min: new Date("0001-01-01T00:00:00.000Z"),
  max: new Date("9999-12-31T23:59:59.999Z"),
  noInvalidDate: true,
};

describe("what is stored comes back", () => {
  test("times, to the millisecond, in model calls and in raw SQL", async () => {
    const { id } = await makeUser();
    await fc.assert(
      fc.asyncProperty(fc.date(ANY_TIME), async (time) => {
        await db.user.update({ where: { id }, data: { disabledAt: time } });
        expect((await db.user.findUniqueOrThrow({ where: { id } })).disabledAt).toEqual(time);
        expect(await db.$queryRaw`SELECT "id" FROM "User" WHERE "id" = ${id} AND "disabledAt" = ${time}`).toEqual([
          { id },
        ]);
      }),
      {
        numRuns: 30,
        examples: [[new Date("2026-11-20T10:00:00.001Z")], [new Date(0)], [new Date("2038-01-19T03:14:08.999Z")]],
      },
    );
  });
});

describe("ordered ids", () => {
  const FORM = /^[0-9a-f]{32}$/;

  test("have the form of all ids, and the order of their times", () => {
    const times = [0, 1, 15, 16, 1_790_000_000_000, 1_790_000_000_001, 1_790_000_000_256, 2 ** 48 - 1];
    const ids = times.map((time) => newOrderedId(new Date(time)));
    expect(ids.filter((id) => !FORM.test(id))).toEqual([]);
    expect(ids.toSorted()).toEqual(ids);
    expect(newId()).toMatch(FORM);
  });

  test("of one moment differ", () => {
    const moment = new Date();
    expect(new Set(Array.from({ length: 1_000 }, () => newOrderedId(moment))).size).toBe(1_000);
  });
});
