import { describe, expect, test } from "vitest";
import { isName, nameKey, nextFreeName } from "@/lib/access-tokens/name";

describe("the name of a program", () => {
  test.each([
    "MyTool",
    "a",
    "7",
    "Jürgens Gerät",
    "名前",
    "My Tool 2.0 (beta)",
    "x".repeat(40),
    "\u{1D49C}".repeat(40),
  ])("may be %s", (name) => expect(isName(name)).toBe(true));

  test.each([
    ["", "nothing"],
    ["   ", "blanks"],
    ["...", "no letter"],
    ["x".repeat(41), "41 characters"],
    ["a\nb", "a line break"],
    ["a\u2028b", "a line separator"],
    ["a\u202eb", "a control of the writing direction"],
    ["a\u2066b", "an isolate"],
    ["a\u200bb", "a blank of no width"],
    ["a\u0007b", "a control character"],
    ["a\ud800b", "half of a surrogate pair"],
    ["\u3164", "a letter that looks like nothing"],
    ["Ba\ufe0fckup", "a selector of a variant"],
    ["Ba\u034fckup", "a joiner without looks"],
    ["Ba\u17b4ckup", "a vowel that looks like nothing"],
    ["e\u0301\u0301\u0301", "a tower of accents"],
    ["\ue000a", "a private character"],
  ])("may not be %j: %s", (name) => expect(isName(name)).toBe(false));

  test("is the same in any case, and with any blanks between its words", () => {
    expect(nameKey("My \u3000 TOOL")).toBe(nameKey("my tool"));
    expect(nameKey("mytool")).not.toBe(nameKey("my tool"));
  });

  test("gets the next number if another token has it, and keeps to 40 characters", () => {
    expect(nextFreeName("Tool", new Set())).toBe("Tool");
    expect(nextFreeName("Tool", new Set([nameKey("TOOL"), nameKey("Tool 2")]))).toBe("Tool 3");
    const longest = "x".repeat(40);
    expect(nextFreeName(longest, new Set([longest]))).toBe(`${"x".repeat(38)} 2`);
  });
});
