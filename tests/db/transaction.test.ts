import { describe, expect, test } from "vitest";
import { auditEvents } from "@/lib/audit";
import { db, sql, transaction } from "@/lib/db/client";
import { isMissingReference } from "@/lib/db/errors";
import { insert } from "@/lib/db/insert";
import { lockUser } from "@/lib/db/lock";
import { rowShape, type SqlChange, sqlChange } from "@/lib/db/statement";
import { newId } from "@/lib/ids";
import { makeUser, newSession } from "@/tests/support/user";

class Regret extends Error {}

describe("a transaction", () => {
  test("happens completely and returns the result of its work", async () => {
    const { id } = await makeUser();
    const answer = await transaction(async (tx) => {
      await tx.session.create({ data: newSession(id) });
      await tx.session.create({ data: newSession(id) });
      return "done";
    });
    expect(answer).toBe("done");
    expect(await db.session.count({ where: { userId: id } })).toBe(2);
  });

  test("that throws leaves nothing behind and throws on", async () => {
    const { id } = await makeUser();
    const work = transaction(async (tx) => {
      await tx.session.create({ data: newSession(id) });
      throw new Regret();
    });
    await expect(work).rejects.toThrow(Regret);
    expect(await db.session.count({ where: { userId: id } })).toBe(0);
  });
});

describe("a row that is locked first", () => {
  test("is counted right by 50 concurrent transactions", async () => {
    const { id } = await makeUser();
    const LIMIT = 7;
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () =>
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

  test("makes nothing where the change touches no row", async () => {
    const id = newId();
    expect(await sql.batch([disable(id), event(id)])).toEqual([]);
    expect(await events(id)).toBe(0);
  });

  test("makes nothing where one of it fails", async () => {
    const { id } = await makeUser();
    const failing = insert("Session", { ...newSession(newId()), id: newId() });
    await expect(sql.batch([disable(id), failing])).rejects.toSatisfy(isMissingReference);
    await expect(sql.batch([event(id), failing])).rejects.toSatisfy(isMissingReference);
    expect(await db.user.findUnique({ where: { id }, select: { disabledAt: true } })).toEqual({ disabledAt: null });
    expect(await events(id)).toBe(0);
  });

  test("is refused where one change may depend on another, on both databases, and makes nothing", async () => {
    const { id } = await makeUser();
    const own = newSession(id);
    const end = sqlChange`DELETE FROM "Session" WHERE "userId" = ${id}`;
    const noteEnds = sqlChange`UPDATE "User" SET "role" = 'admin' WHERE "id" IN (SELECT "userId" FROM "Session")`;
    for (const changes of [
      [insert("Session", own), end],
      [insert("Session", own), noteEnds],
      [noteEnds, insert("Session", own)],
      [insert("Session", own), insert("Session", newSession(id))],
    ])
      await expect(sql.batch(changes)).rejects.toThrow("may depend on the other");
    expect(await db.session.count({ where: { userId: id } })).toBe(0);
  });

  test("returns rows of its first change only, followed by inserts only", async () => {
    const { id } = await makeUser();
    const end = sqlChange`DELETE FROM "Session" WHERE "userId" = ${id}`;
    const wrong: readonly SqlChange[][] = [
      [disable(id) as unknown as SqlChange, auditEvents(entry, entry)],
      [disable(id) as unknown as SqlChange, end],
      [event(id), disable(id) as unknown as SqlChange],
    ];
    for (const changes of wrong) await expect(sql.batch(changes)).rejects.toThrow("batch");
    expect(await db.user.findUnique({ where: { id }, select: { disabledAt: true } })).toEqual({ disabledAt: null });
  });
});
