import { setImmediate as turn } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { pace, stepSize, turnOfOthers } from "@/lib/platform/event-loop";

test("of many long jobs, one continues per turn of the event loop, in the order of arrival", async () => {
  const steps: string[] = [];
  const work = async (name: string) => {
    for (let step = 0; step < 3; step++) {
      await turnOfOthers();
      steps.push(name);
    }
  };
  const works = Promise.all(["a", "b", "c"].map(work));
  const seen: number[] = [];
  while (steps.length < 9) {
    await turn();
    seen.push(steps.length);
  }
  await works;
  expect(steps.join("")).toBe("abcabcabc");
  const together = seen.map((count, index) => count - (seen[index - 1] ?? 0));
  expect(Math.max(...together)).toBe(1);
});

test("work within other work shares its turn: together they let others have theirs", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const outer = pace(5);
  let others = 0;
  await turnOfOthers();
  setImmediate(() => others++);
  await outer();
  vi.advanceTimersByTime(4);
  const inner = pace(5);
  await inner();
  expect(others).toBe(0);
  vi.advanceTimersByTime(1);
  await inner();
  expect(others).toBe(1);
});

test("short work continues immediately; long work lets others have their turn", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const begin = pace(5);
  let others = 0;
  setImmediate(() => others++);
  await begin();
  expect(others).toBe(0);
  vi.advanceTimersByTime(5);
  await begin();
  expect(others).toBe(1);
});

test("a step does as much as fits into ten milliseconds, within its bounds", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const rows = stepSize(100, 500);
  const sizes: number[] = [];
  const step = (ms: number) =>
    rows.step(async (size) => {
      sizes.push(size);
      vi.advanceTimersByTime(ms);
    });
  for (const ms of [4, 4, 4, 4, 7, 11, 11, 11, 11]) await step(ms);
  expect(sizes).toEqual([100, 200, 400, 500, 500, 500, 250, 125, 100]);
});
