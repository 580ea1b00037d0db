import { expect, test } from "vitest";
import { ageInWords } from "@/components/time";
import { countInWords, durationInWords } from "@/lib/platform/bounds";

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400] as const;

// An age is said in its largest whole unit, and a week by its day. The future, by another clock, was a moment ago.
test.each([
  ["a moment ago", [-1e12, -1, 0, 59.9]],
  ["1 minute ago", [MINUTE]],
  ["2 minutes ago", [2 * MINUTE]],
  ["59 minutes ago", [HOUR - 1]],
  ["1 hour ago", [HOUR, 2 * HOUR - 1]],
  ["23 hours ago", [DAY - 1]],
  ["1 day ago", [DAY]],
  ["6 days ago", [7 * DAY - 1]],
  [null, [7 * DAY, 1e12]],
])("%s: %j", (words, ages) => {
  for (const seconds of ages) expect(ageInWords(seconds)).toBe(words);
});

test.each([
  ["a second", 1],
  ["ten seconds", 10],
  ["90 seconds", 90],
  ["a minute", 60],
  ["20 minutes", 1_200],
  ["90 minutes", 5_400],
  ["an hour", 3_600],
  ["24 hours", 86_400],
  ["36 hours", 129_600],
  ["two days", 172_800],
  ["90 days", 7_776_000],
])("%s", (words, seconds) => {
  expect(durationInWords(seconds)).toBe(words);
});

test("small numbers are words, others have their digits in groups", () => {
  expect([0, 1, 12, 13, 10_000].map(countInWords)).toEqual(["no", "one", "twelve", "13", "10,000"]);
});
