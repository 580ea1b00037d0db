import { expect, test } from "vitest";
import { shownBody } from "@/app/(pages)/docs/try/shown-body";

test("a whole JSON body is indented", () => {
  expect(shownBody('{"a":[1,"two"]}', true)).toBe('{\n  "a": [\n    1,\n    "two"\n  ]\n}');
});

test("what is cut off, or no JSON, is shown as it came", () => {
  expect(shownBody('{"a":[1', false)).toBe('{"a":[1');
  expect(shownBody("up 1\n", true)).toBe("up 1\n");
});

test("a body that is nested deeply does not grow", () => {
  const deep = "[".repeat(30_000) + "]".repeat(30_000);
  expect(shownBody(deep, true)).toBe(deep);
});
