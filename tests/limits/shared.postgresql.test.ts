import { describe, expect, it } from "vitest";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { limiter } from "@/lib/platform/limits/limits";
import { runScript } from "@/tests/support/admin";

const { consume, peek, refund, clear } = limiter("shared", 10, 60);

/** How many of `count` that another process took at once were allowed. */
async function consumed(key: string, count: number): Promise<number> {
  return Number((await runScript("tests/limits/consume.ts", ["shared", key, String(count)], process.env)).stdout);
}

describe("limits in PostgreSQL", () => {
  it("are shared by processes, however many take at once", async () => {
    const key = newId();
    const allowed = await Promise.all([consumed(key, 15), consumed(key, 15)]);
    expect(allowed[0] + allowed[1]).toBe(10);
    expect(await consume(key)).toMatchObject({ allowed: false });
  });

  it("say how many were counted, and when the window ends", async () => {
    const key = newId();
    const retryAfter = expect.toSatisfy((seconds: number) => seconds > 30 && seconds <= 60);
    const counted = { retryAfter, isFirstRefusal: false, openedAt: expect.any(Number) };
    expect(await peek(key)).toEqual({
      allowed: true,
      consumed: 0,
      retryAfter: 1,
      isFirstRefusal: false,
      openedAt: null,
    });
    for (let count = 1; count <= 10; count++)
      expect(await consume(key)).toEqual({ ...counted, allowed: true, consumed: count });
    expect(await peek(key)).toMatchObject({ allowed: false, consumed: 10 });
    expect(await consume(key)).toEqual({ ...counted, allowed: false, consumed: 11, isFirstRefusal: true });
  });

  it("take back what was counted, and forget", async () => {
    const key = newId();
    for (let count = 0; count < 10; count++) await consume(key);
    await refund(key);
    expect(await consume(key)).toMatchObject({ allowed: true, consumed: 10 });
    expect(await consume(key)).toMatchObject({ allowed: false });
    await clear(key);
    expect(await consume(key)).toMatchObject({ allowed: true, consumed: 1 });
  });

  it("stand under names of their own, and end with their window", async () => {
    const key = newId();
    await consume(key);
    const row = await db.rateLimit.findUniqueOrThrow({ where: { key: `shared:${key}` } });
    expect(row.points).toBe(1);
    const secondsLeft = (Number(row.expire) - Date.now()) / 1_000;
    expect(secondsLeft).toBeGreaterThan(30);
    expect(secondsLeft).toBeLessThanOrEqual(60);
  });

  it("are counted in the process's memory while their table is away, and there again afterwards", async () => {
    const key = newId();
    await consume(key);
    await db.$executeRaw`ALTER TABLE "RateLimit" RENAME TO "Away"`;
    try {
      for (let count = 1; count <= 10; count++)
        expect(await consume(key)).toMatchObject({ allowed: true, consumed: count });
      expect(await consume(key)).toMatchObject({ allowed: false, consumed: 11, isFirstRefusal: true });
      expect(await peek(key)).toMatchObject({ allowed: false });
    } finally {
      await db.$executeRaw`ALTER TABLE "Away" RENAME TO "RateLimit"`;
    }
    expect(await consume(key)).toMatchObject({ allowed: true, consumed: 2 });
  });
});
