import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { someAtATime } from "@/app/(pages)/files/some-at-a-time";

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

const tell = vi.fn();
afterEach(() => tell.mockReset());

test("the last one is told at once, and nothing more after it", () => {
  const arrived = someAtATime(tell);
  arrived(false);
  arrived(true);
  expect(tell).toHaveBeenCalledTimes(1);
  vi.runAllTimers();
  expect(tell).toHaveBeenCalledTimes(1);
});

test("many on the way are told once for a while, and again for the next", () => {
  const arrived = someAtATime(tell);
  for (let n = 0; n < 100; n++) arrived(false);
  expect(tell).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(tell).toHaveBeenCalledTimes(1);
  arrived(false);
  vi.runAllTimers();
  expect(tell).toHaveBeenCalledTimes(2);
});
