import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test, vi } from "vitest";
import { newId } from "@/lib/platform/ids";
import { limiter } from "@/lib/platform/limits/limits";
import { dropOldest, shortMemory } from "@/lib/platform/process";

const REQUESTS = 50;

test("a window that is open keeps nothing of the request that opened it", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const request = new AsyncLocalStorage<object>();
  const limit = limiter(`memory ${newId()}`, 1, 600);
  await limit.consume("the counter is made");
  const kept: WeakRef<object>[] = [];
  for (let n = 0; n < REQUESTS; n++) {
    const seen = {};
    kept.push(new WeakRef(seen));
    await request.run(seen, async () => {
      await limit.consume(`network ${n}`);
      await limit.refund(`another ${n}`);
    });
  }
  await sleep(10);
  collect();
  expect(kept.filter((seen) => seen.deref()).length).toBeLessThanOrEqual(1);
});

test("whether one more is within a limit is known without counting, at its very end, too", async () => {
  const limit = limiter(`peek ${newId()}`, 2, 60);
  const isWithin = async () => (await limit.peek("key")).allowed;
  for (const expected of [true, true, false]) {
    expect([await isWithin(), await isWithin()]).toEqual([expected, expected]);
    await limit.consume("key");
  }
  await limit.refund("key");
  expect(await isWithin()).toBe(false);
  await limit.refund("key");
  expect(await isWithin()).toBe(true);
});

test("A map keeps the entries that were added last, as many as it may have", () => {
  const map = new Map(["a", "b", "c", "d"].map((key) => [key, 1]));
  map.delete("a");
  map.set("a", 2);
  dropOldest(map, 2);
  expect([...map.keys()]).toEqual(["d", "a"]);
  dropOldest(map, 2);
  expect(map.size).toBe(2);
});

test("A short memory forgets the oldest keys first, and each after its time", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const memory = shortMemory("test of short memories", 0.05, 2);
  for (const key of ["a", "b", "c"]) memory.add(key);
  expect(["a", "b", "c"].map(memory.has)).toEqual([false, true, true]);
  vi.advanceTimersByTime(50);
  expect(memory.has("c")).toBe(false);
});
