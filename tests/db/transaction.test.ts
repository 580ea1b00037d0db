import { describe, expect, test } from "vitest";
import { db, transaction } from "@/lib/db/client";
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
