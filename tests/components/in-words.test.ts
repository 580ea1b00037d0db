import { expect, test } from "vitest";
import { countInWords, durationInWords } from "@/lib/platform/bounds";

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
