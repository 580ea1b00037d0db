import { expect, onTestFinished, test, vi } from "vitest";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { leasedLimiter } from "@/lib/platform/limits/leased";
import { type LimitVerdict, limiter } from "@/lib/platform/limits/limits";
import { runScript } from "@/tests/support/admin";

const WINDOW = 600;
const countersOf = async (key: string) => (await db.rateLimit.findUnique({ where: { key: `leased:${key}` } }))?.points;

async function takeMany(count: number, key: string, { take } = leasedLimiter("leased", 1_000, WINDOW)) {
  const verdicts = await Promise.all(Array.from({ length: count }, () => take(key)));
  return verdicts.filter(({ allowed }) => allowed).length;
}

const takeElsewhere = async (count: number, key: string) =>
  Number((await runScript("tests/limits/take.ts", ["leased", key, String(count)], process.env)).stdout);

test("Whoever asks rarely is counted one by one", async () => {
  const key = newId();
  const { take } = leasedLimiter("leased", 1_000, WINDOW);
  for (let count = 1; count <= 4; count++)
    expect(await take(key)).toMatchObject({ allowed: true, taken: count, isFirstRefusal: false });
  expect(await countersOf(key)).toBe(4);
});

test("A large limit is taken a thousandth at a time from the beginning", async () => {
  const key = newId();
  const { take } = leasedLimiter("leased", 12_000, WINDOW);
  expect(await take(key)).toMatchObject({ allowed: true, taken: 1 });
  expect(await countersOf(key)).toBe(12);
  for (let count = 2; count <= 12; count++) expect(await take(key)).toMatchObject({ allowed: true, taken: count });
  expect(await countersOf(key)).toBe(12);
});

test("A process that asks often counts most in its memory, and holds back 1 % at most", async () => {
  const key = newId();
  expect(await takeMany(500, key)).toBe(500);
  const points = await countersOf(key);
  expect(points).toBeGreaterThanOrEqual(500);
  expect(points).toBeLessThanOrEqual(510);
});

test("One process alone may take exactly what the limit says, and its first refusal is known", async () => {
  const key = newId();
  const { take } = leasedLimiter("leased", 1_000, WINDOW);
  expect(await takeMany(1_000, key)).toBe(1_000);
  expect(await take(key)).toMatchObject({ allowed: false, isFirstRefusal: true });
  expect(await take(key)).toMatchObject({ allowed: false, isFirstRefusal: false });
});

test("Processes together never get more, and lose 1 % each at most", async () => {
  const key = newId();
  const allowed = await Promise.all([takeElsewhere(700, key), takeElsewhere(700, key), takeMany(700, key)]);
  const all = allowed.reduce((sum, one) => sum + one);
  expect(all).toBeLessThanOrEqual(1_000);
  expect(all).toBeGreaterThanOrEqual(1_000 - 3 * 10);
});

test("What is over stays over, and a new window begins empty", async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const key = newId();
  const short = leasedLimiter("leased briefly", 200, 1);
  expect(await takeMany(300, key, short)).toBe(200);
  vi.advanceTimersByTime(1_100);
  expect(await takeMany(300, key, short)).toBe(200);
});

test("A block that another process's block goes beyond gets what is left, and tells of its refusal", async () => {
  const key = newId();
  const leased = leasedLimiter("leased", 1_000, WINDOW);
  expect(await takeMany(400, key, leased)).toBe(400);
  const { taken } = await leased.peek(key);
  // Another process takes all but three, which this one does not know.
  await limiter("leased", 1_000, WINDOW).take(key, 1_000 - taken - 3);
  const verdicts: LimitVerdict[] = [];
  for (let count = 0; count < 40; count++) verdicts.push(await leased.take(key));
  const [allowed, refused] = [true, false].map((is) => verdicts.filter((verdict) => verdict.allowed === is));
  expect(allowed?.length).toBe(taken - 400 + 3);
  const later = Array(39 - taken + 400 - 3).fill(false);
  expect(refused?.map(({ isFirstRefusal }) => isFirstRefusal)).toEqual([true, ...later]);
});
