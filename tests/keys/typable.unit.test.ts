import { expect, test } from "vitest";
import { typable } from "@/app/(pages)/keys/typable";

test.each([
  ["plain", "plain"],
  ["  blanks  around ", "blanks around"],
  ["a\ttab\nand a newline", "a tab and a newline"],
  ["cafe\u0301", "caf\u00e9"],
  ["zero\u200bwidth\u202e", "zerowidth"],
  ["\u00a0no\u00a0break", "no break"],
  ["\u200b\u0007", ""],
  ["", ""],
])("%j can be typed as %j", (name, typed) => {
  expect(typable(name)).toBe(typed);
  expect(typable(typed)).toBe(typed);
});
