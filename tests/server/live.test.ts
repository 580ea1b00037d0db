import { expect, test } from "vitest";
import { readLive } from "@/lib/operator/overview";
import { type LiveReading, ratesBetween } from "@/lib/operator/rates";
import { countRequest, metricsText } from "@/lib/platform/metrics";

const reading = (at: number, counts: number[], source = "one"): LiveReading => ({
  source,
  at,
  within: [0.01, 0.1, 1, Number.POSITIVE_INFINITY].map((seconds, index) => ({ seconds, count: counts[index] ?? 0 })),
});

test("rates are what happened between two readings", () => {
  const before = reading(1_000, [10, 20, 30, 30]);
  expect(ratesBetween(before, reading(11_000, [60, 120, 130, 130]))).toEqual({
    perSecond: 10,
    p50: 0.01,
    p99: expect.closeTo(0.0982, 4),
  });
  expect(ratesBetween(before, reading(3_000, [10, 20, 30, 40]))).toEqual({ perSecond: 5, p50: 1, p99: 1 });
  expect(ratesBetween(before, reading(3_000, [10, 20, 30, 30]))).toEqual({ perSecond: 0, p50: null, p99: null });
});

test("readings of two services, or from before a process was replaced, are not compared", () => {
  const before = reading(1_000, [10, 20, 30, 30]);
  expect(ratesBetween(before, reading(2_000, [11, 21, 31, 31], "other"))).toBeNull();
  expect(ratesBetween(before, reading(2_000, [0, 1, 2, 2]))).toBeNull();
  expect(ratesBetween(before, before)).toBeNull();
  const first = { source: "one", at: 0, within: [] };
  expect(ratesBetween(first, before)?.perSecond).toBe(30);
  expect(ratesBetween(first, { ...first, at: 1 })).toEqual({ perSecond: 0, p50: null, p99: null });
});

test("nothing is measured until somebody looks, and the console's own requests never count", async () => {
  countRequest("/health", 200, 5);
  expect(await metricsText()).toBe("");
  const before = await readLive();
  countRequest("/health", 200, 5);
  countRequest("/keys/get/{id}", 404, 700);
  countRequest("/admin", 200, 5);
  countRequest("/admin/users", 200, 5);
  const after = await readLive();
  expect(after.source).toBe(before.source);
  expect(after.within.at(-1)).toEqual({ seconds: Number.POSITIVE_INFINITY, count: 2 });
  expect(after.within.find(({ seconds }) => seconds === 0.005)?.count).toBe(1);
});
