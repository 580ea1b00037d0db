import { expect, test } from "vitest";
import { judge } from "./memory";

const MB = 1_000_000;
const over = (minutes: number, bytes: (minute: number) => number) =>
  Array.from({ length: minutes * 60 }, (_, second) => ({ minute: (second + 1) / 60, bytes: bytes((second + 1) / 60) }));

test("memory that grows at first and then stays is flat", () => {
  const { isFlat, slope, quarters } = judge(over(20, (minute) => 200 * MB + Math.min(minute, 8) * 10 * MB));
  expect([isFlat, slope, quarters[3]]).toEqual([true, 0, 280 * MB]);
});

test("memory that keeps growing is not", () => {
  const { isFlat, slope, sentence } = judge(over(20, (minute) => 200 * MB + minute * 5 * MB));
  expect([isFlat, Math.round(slope / MB)]).toEqual([false, 5]);
  expect(sentence).toMatch(
    /^Memory is NOT FLAT: the median of the last quarter is 287\.\d MB, of the one before 262\.\d MB /,
  );
});

test("a short run is not judged", () => {
  expect(judge(over(1, () => 200 * MB)).isFlat).toBeNull();
});
