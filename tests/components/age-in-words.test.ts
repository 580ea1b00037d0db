import { expect, test } from "vitest";
import { ageInWords } from "@/components/age-in-words";

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];

test("an age is said in its largest whole unit, and a week is said by its day", () => {
  expect(
    [0, 59.9, MINUTE, 2 * MINUTE, HOUR - 1, HOUR, 2 * HOUR - 1, DAY - 1, DAY, 7 * DAY - 1, 7 * DAY, 1e12].map(
      ageInWords,
    ),
  ).toEqual([
    "a moment ago",
    "a moment ago",
    "1 minute ago",
    "2 minutes ago",
    "59 minutes ago",
    "1 hour ago",
    "1 hour ago",
    "23 hours ago",
    "1 day ago",
    "6 days ago",
    null,
    null,
  ]);
});

test("a time in the future, by another clock, was a moment ago", () => {
  expect([-1, -1e12].map(ageInWords)).toEqual(["a moment ago", "a moment ago"]);
});
