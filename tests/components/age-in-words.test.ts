import { expect, test } from "vitest";
import { ageInWords } from "@/components/content/time";

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
