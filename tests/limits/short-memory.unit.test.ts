import { expect, onTestFinished, test, vi } from "vitest";
import { dropOldest, shortMemory } from "@/lib/short-memory";

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
