import { describe, expect, onTestFinished, test, vi } from "vitest";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { leasedLimiter } from "@/lib/platform/limits/leased";
import { type LimitVerdict, limiter, limiterOfProcess } from "@/lib/platform/limits/limits";
import { runScript } from "@/tests/support/admin";

const WINDOW = 600;

/** How many of `count` that another process took at once were allowed. */
const takenElsewhere = async (name: "shared" | "leased", count: number, key: string) =>
  Number((await runScript("tests/limits/consume.ts", [name, key, String(count)], process.env)).stdout);

const { consume, peek, refund, clear } = limiter("shared", 10, WINDOW);

describe("counters in PostgreSQL", () => {
  test("are shared by processes, however many take at once", async () => {
    const key = newId();
    const allowed = await Promise.all([takenElsewhere("shared", 15, key), takenElsewhere("shared", 15, key)]);
    expect(allowed[0] + allowed[1]).toBe(10);
    expect(await consume(key)).toMatchObject({ allowed: false });
  });

  test("say how many were counted, and when the window ends", async () => {
    const key = newId();
    const retryAfter = expect.toSatisfy((seconds: number) => seconds > 30 && seconds <= WINDOW);
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

  test("of a process leave no row", async () => {
    const key = newId();
    const own = limiterOfProcess("of a process", 10, WINDOW);
    for (let count = 1; count <= 10; count++)
      expect(await own.consume(key)).toMatchObject({ allowed: true, consumed: count });
    expect(await own.consume(key)).toMatchObject({ allowed: false, isFirstRefusal: true });
    expect(await db.rateLimit.findUnique({ where: { key: `of a process:${key}` } })).toBeNull();
  });

  test("take back what was counted, and forget", async () => {
    const key = newId();
    for (let count = 0; count < 10; count++) await consume(key);
    await refund(key);
    expect(await consume(key)).toMatchObject({ allowed: true, consumed: 10 });
    expect(await consume(key)).toMatchObject({ allowed: false });
    await clear(key);
    expect(await consume(key)).toMatchObject({ allowed: true, consumed: 1 });
  });

  test("stand under names of their own, and end with their window", async () => {
    const key = newId();
    await consume(key);
    const row = await db.rateLimit.findUniqueOrThrow({ where: { key: `shared:${key}` } });
    expect(row.points).toBe(1);
    const secondsLeft = (Number(row.expire) - Date.now()) / 1_000;
    expect(secondsLeft).toBeGreaterThan(30);
    expect(secondsLeft).toBeLessThanOrEqual(WINDOW);
  });

  test("are counted in the process's memory while their table is away, and there again afterwards", async () => {
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

describe("a counter of which processes lease parts", () => {
  const countersOf = async (key: string) =>
    (await db.rateLimit.findUnique({ where: { key: `leased:${key}` } }))?.points;

  async function consumeMany(count: number, key: string, { consume } = leasedLimiter("leased", 1_000, WINDOW)) {
    const verdicts = await Promise.all(Array.from({ length: count }, () => consume(key)));
    return verdicts.filter(({ allowed }) => allowed).length;
  }

  test("whoever asks rarely is counted one by one", async () => {
    const key = newId();
    const { consume } = leasedLimiter("leased", 1_000, WINDOW);
    for (let count = 1; count <= 4; count++)
      expect(await consume(key)).toMatchObject({ allowed: true, consumed: count, isFirstRefusal: false });
    expect(await countersOf(key)).toBe(4);
  });

  test("a large limit is counted a thousandth at a time from the beginning", async () => {
    const key = newId();
    const { consume } = leasedLimiter("leased", 12_000, WINDOW);
    expect(await consume(key)).toMatchObject({ allowed: true, consumed: 1 });
    expect(await countersOf(key)).toBe(12);
    for (let count = 2; count <= 12; count++)
      expect(await consume(key)).toMatchObject({ allowed: true, consumed: count });
    expect(await countersOf(key)).toBe(12);
  });

  test("a process that asks often counts most in its memory, and holds back 1 % at most", async () => {
    const key = newId();
    expect(await consumeMany(500, key)).toBe(500);
    const points = await countersOf(key);
    expect(points).toBeGreaterThanOrEqual(500);
    expect(points).toBeLessThanOrEqual(510);
  });

  test("one process alone may take exactly what the limit says, and its first refusal is known", async () => {
    const key = newId();
    const { consume } = leasedLimiter("leased", 1_000, WINDOW);
    expect(await consumeMany(1_000, key)).toBe(1_000);
    expect(await consume(key)).toMatchObject({ allowed: false, isFirstRefusal: true });
    expect(await consume(key)).toMatchObject({ allowed: false, isFirstRefusal: false });
  });

  test("processes together never get more, and lose 1 % each at most", async () => {
    const key = newId();
    const elsewhere = [1, 2].map(() => takenElsewhere("leased", 700, key));
    const allowed = await Promise.all([...elsewhere, consumeMany(700, key)]);
    const all = allowed.reduce((sum, one) => sum + one);
    expect(all).toBeLessThanOrEqual(1_000);
    expect(all).toBeGreaterThanOrEqual(1_000 - 3 * 10);
  });

  test("what is over stays over, and a new window begins empty", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const key = newId();
    const short = leasedLimiter("leased briefly", 200, 1);
    expect(await consumeMany(300, key, short)).toBe(200);
    vi.advanceTimersByTime(1_100);
    expect(await consumeMany(300, key, short)).toBe(200);
  });

  test("a block that another process's block goes beyond gets what is left, and tells of its refusal", async () => {
    const key = newId();
    const leased = leasedLimiter("leased", 1_000, WINDOW);
    expect(await consumeMany(400, key, leased)).toBe(400);
    const { consumed } = await leased.peek(key);
    // Another process takes all but three, which this one does not know.
    await limiter("leased", 1_000, WINDOW).consume(key, 1_000 - consumed - 3);
    const verdicts: LimitVerdict[] = [];
    for (let count = 0; count < 40; count++) verdicts.push(await leased.consume(key));
    const [allowed, refused] = [true, false].map((is) => verdicts.filter((verdict) => verdict.allowed === is));
    expect(allowed?.length).toBe(consumed - 400 + 3);
    const later = Array(39 - consumed + 400 - 3).fill(false);
    expect(refused?.map(({ isFirstRefusal }) => isFirstRefusal)).toEqual([true, ...later]);
  });

  test("a network that a process forgets, because it counts for too many, loses none of a large limit", async () => {
    const { consume } = leasedLimiter("leased", 12_000, WINDOW);
    const others = Array.from({ length: 10_000 }, () => newId());
    const forget = async () => {
      for (let from = 0; from < others.length; from += 500)
        await Promise.all(others.slice(from, from + 500).map((other) => consume(other)));
    };
    await forget();
    const key = newId();
    for (const count of [1, 2]) {
      expect(await consume(key)).toMatchObject({ allowed: true, consumed: count });
      await forget();
    }
    expect(await countersOf(key)).toBe(2);
  });
});
