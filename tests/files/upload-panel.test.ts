import { expect, onTestFinished, test, vi } from "vitest";
import { someAtATime } from "@/app/(pages)/files/upload-queue";
import { readableSeconds, UploadRate } from "@/app/(pages)/files/upload-rate";

function rates(...uploaded: number[]): (number | undefined)[] {
  const rate = new UploadRate(0, 0);
  return uploaded.map((bytes, n) => rate.measure(bytes, (n + 1) * 1_000));
}

test("there is no rate in the first two seconds, or when nothing has moved for ten", () => {
  expect(rates(100, 200, 300)).toEqual([undefined, 100, 100]);
  expect(rates(100, ...Array(11).fill(100)).slice(9)).toEqual([10, undefined, undefined]);
  expect(new UploadRate(5_000, 0).measure(5_000, 3_000)).toBeUndefined();
});

test("one fast second changes the rate by a tenth of it", () => {
  expect(rates(...Array.from({ length: 20 }, (_, n) => n * 100), 2_900).at(-1)).toBe(190);
});

test("bytes that are taken back are no speed, and those sent again count", () => {
  expect(rates(100, 200, 0, 100, 200)).toEqual([undefined, 100, 200 / 3, 75, 80]);
});

test.each([
  [0.2, "1 s"],
  [7.1, "8 s"],
  [42, "45 s"],
  [55.1, "1 min"],
  [125, "3 min"],
  [3_600, "1 h"],
  [4_790, "1 h 20 min"],
  [100_000, "more than a day"],
])("%d seconds are shown as %s", (seconds, shown) => {
  expect(readableSeconds(seconds)).toBe(shown);
});

test("of many that have arrived it is told once for a while, and of the last one at once", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const notify = vi.fn();
  const arrived = someAtATime(notify);
  const notified = (isLast: boolean, times: number) => {
    for (let n = 0; n < times; n++) arrived(isLast);
    return notify.mock.calls.length;
  };
  expect(notified(false, 100)).toBe(0);
  vi.runAllTimers();
  expect(notify).toHaveBeenCalledTimes(1);
  expect([notified(false, 1), notified(true, 1)]).toEqual([1, 2]);
  vi.runAllTimers();
  expect(notify).toHaveBeenCalledTimes(2);
  arrived(false);
  vi.runAllTimers();
  expect(notify).toHaveBeenCalledTimes(3);
});
