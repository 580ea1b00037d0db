import { describe, expect, test } from "vitest";
import { audit } from "@/lib/audit";
import { db, transaction, writeWith } from "@/lib/db/client";
import { lockUser } from "@/lib/db/lock";
import { newId } from "@/lib/ids";
import { makeUser } from "@/tests/support/user";

class Regret extends Error {}

const session = (userId: string) => ({ id: newId(), userId, createdAt: new Date(), expiresAt: new Date(), userAgent: "" });

describe("a transaction", () => {
  test("happens whole and answers what its work answers", async () => {
    const { id } = await makeUser();
    const answer = await transaction(async (tx) => {
      await tx.session.create({ data: session(id) });
      await tx.session.create({ data: session(id) });
      return "done";
    });
    expect(answer).toBe("done");
    expect(await db.session.count({ where: { userId: id } })).toBe(2);
  });

  test("that throws leaves nothing behind and throws on", async () => {
    const { id } = await makeUser();
    const work = transaction(async (tx) => {
      await tx.session.create({ data: session(id) });
      throw new Regret();
    });
    await expect(work).rejects.toThrow(Regret);
    expect(await db.session.count({ where: { userId: id } })).toBe(0);
  });
});

describe("a row that is locked first", () => {
  test("is counted right by 50 transactions at once", async () => {
    const { id } = await makeUser();
    const LIMIT = 7;
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () =>
        transaction(async (tx) => {
          await lockUser(tx, id);
          if ((await tx.session.count({ where: { userId: id } })) >= LIMIT) return false;
          await tx.session.create({ data: session(id) });
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

describe("a change and what goes with it", () => {
  type Also = Parameters<typeof writeWith>[1];
  const audited =
    (id: string): Also =>
    (tx) =>
      audit({ at: new Date(), action: "user.disable", subjectId: id, actorId: null }, tx);
  const disable = (id: string, also = audited(id)) =>
    writeWith<{ username: string }>((tx) => tx.$queryRaw`UPDATE "User" SET "disabledAt" = ${new Date()} WHERE "id" = ${id} RETURNING "username"`, also);

  test("are both there, and the changed row is answered", async () => {
    const { id, username } = await makeUser();
    expect(await disable(id)).toEqual([{ username }]);
    expect(await db.auditEvent.count({ where: { subjectId: id } })).toBe(1);
  });

  test("are neither there where no row is changed", async () => {
    const id = newId();
    expect(await disable(id)).toEqual([]);
    expect(await db.auditEvent.count({ where: { subjectId: id } })).toBe(0);
  });

  test("are neither there where the second fails", async () => {
    const { id } = await makeUser();
    const failing: Also = async (tx) => void (await tx.$executeRaw`INSERT INTO "User" ("id") SELECT ${newId()}`);
    await expect(disable(id, failing)).rejects.toThrow();
    expect(await db.user.findUnique({ where: { id }, select: { disabledAt: true } })).toEqual({ disabledAt: null });
  });
});
