import { expect, onTestFinished, test, vi } from "vitest";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { leasedLimiter } from "@/lib/platform/limits/leased";
import { type LimitVerdict, limiter } from "@/lib/platform/limits/limits";
import { runScript } from "@/tests/support/admin";

const WINDOW = 600;
const countersOf = async (key: string) => (await db.rateLimit.findUnique({ where: { key: `leased:${key}` } }))?.points;

async function consumeMany(count: number, key: string, { consume } = leasedLimiter("leased", 1_000, WINDOW)) {
  const verdicts = await Promise.all(Array.from({ length: count }, () => consume(key)));
  return verdicts.filter(({ allowed }) => allowed).length;
}

const consumeElsewhere = async (count: number, key: string) =>
  Number((await runScript("tests/limits/consume.ts", ["leased", key, String(count)], process.env)).stdout);

test("Whoever asks rarely is counted one by one", async () => {
  const key = newId();
  const { consume } = leasedLimiter("leased", 1_000, WINDOW);
  for (let count = 1; count <= 4; count++)
    expect(await consume(key)).toMatchObject({ allowed: true, consumed: count, isFirstRefusal: false });
  expect(await countersOf(key)).toBe(4);
});

test("A large limit is counted a thousandth at a time from the beginning", async () => {
  const key = newId();
  const { consume } = leasedLimiter("leased", 12_000, WINDOW);
  expect(await consume(key)).toMatchObject({ allowed: true, consumed: 1 });
  expect(await countersOf(key)).toBe(12);
  for (let count = 2; count <= 12; count++)
    expect(await consume(key)).toMatchObject({ allowed: true, consumed: count });
  expect(await countersOf(key)).toBe(12);
});

test("A process that asks often counts most in its memory, and holds back 1 % at most", async () => {
  const key = newId();
  expect(await consumeMany(500, key)).toBe(500);
  const points = await countersOf(key);
  expect(points).toBeGreaterThanOrEqual(500);
  expect(points).toBeLessThanOrEqual(510);
});

test("One process alone may take exactly what the limit says, and its first refusal is known", async () => {
  const key = newId();
  const { consume } = leasedLimiter("leased", 1_000, WINDOW);
  expect(await consumeMany(1_000, key)).toBe(1_000);
  expect(await consume(key)).toMatchObject({ allowed: false, isFirstRefusal: true });
  expect(await consume(key)).toMatchObject({ allowed: false, isFirstRefusal: false });
});

test("Processes together never get more, and lose 1 % each at most", async () => {
  const key = newId();
  const allowed = await Promise.all([consumeElsewhere(700, key), consumeElsewhere(700, key), consumeMany(700, key)]);
  const all = allowed.reduce((sum, one) => sum + one);
  expect(all).toBeLessThanOrEqual(1_000);
  expect(all).toBeGreaterThanOrEqual(1_000 - 3 * 10);
});

test("What is over stays over, and a new window begins empty", async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const key = newId();
  const short = leasedLimiter("leased briefly", 200, 1);
  expect(await consumeMany(300, key, short)).toBe(200);
  vi.advanceTimersByTime(1_100);
  expect(await consumeMany(300, key, short)).toBe(200);
});

test("A block that another process's block goes beyond gets what is left, and tells of its refusal", async () => {
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

test("A network that a process forgets, because it counts for too many, loses none of a large limit", async () => {
  const { consume } = leasedLimiter("leased", 12_000, WINDOW);
  const others = Array.from({ length: 10_000 }, () => newId());
  const forget = async () => {
    for (let from = 0; from < others.length; from += 500)
      await Promise.all(others.slice(from, from + 500).map((other) => consume(other)));
  };
  await forget();
  const key = newId();
  for (let count = 1; count <= 3; count++) {
    expect(await consume(key)).toMatchObject({ allowed: true, consumed: count });
    await forget();
  }
  expect(await countersOf(key)).toBe(3);
});
