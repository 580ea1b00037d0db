import fc from "fast-check";
import { expect, test } from "vitest";
import { typable } from "@/app/(pages)/keys/commands";
import { changeable } from "@/lib/keys/schema";

const digits = fc.tuple(fc.bigInt({ min: 0n, max: 999_999_999n }), fc.stringMatching(/^[0-9]{0,6}$/), fc.boolean());

test("a price is answered as the same decimal", () => {
  fc.assert(
    fc.property(digits, ([integer, decimals, negative]) => {
      const text = `${negative ? "-" : ""}${integer}${decimals === "" ? "" : `.${decimals}`}`;
      fc.pre(Number(text) !== 0 || !negative);
      const canonical = text.includes(".") ? text.replace(/\.?0+$/, "") : text;
      expect(JSON.stringify(Number(changeable.price.parse(text)))).toBe(canonical);
    }),
    { numRuns: 1_000 },
  );
});

const LIKE = "must be written like 1000 or 12.50, without commas, spaces or leading zeros";
const PLAIN = "must be a plain decimal like 12 or 0.5, or -1 for not for sale";

test.each<[text: string, problem: string]>([
  ["1,50", "must be written with a point: 1.50"],
  ...["1,000", "1 000", "007.10", "5.", "1'000.50"].map((text): [string, string] => [text, LIKE]),
  ...["\u20ac5", ".5", "1e3", "free", "-0", ""].map((text): [string, string] => [text, PLAIN]),
  ["1.1234567", "can have 15 significant digits and 6 decimals at most"],
])("the price %j is refused with what helps", (text, problem) => {
  expect(changeable.price.safeParse(text).error?.issues.map(({ message }) => message)).toEqual([problem]);
});

test.each([
  ["plain", "plain"],
  ["  blanks  around ", "blanks around"],
  ["a\ttab\nand a newline", "a tab and a newline"],
  ["cafe\u0301", "caf\u00e9"],
  ["zero\u200bwidth\u202e", "zerowidth"],
  ["\u00a0no\u00a0break", "no break"],
  ["\u200b\u0007", ""],
  ["", ""],
])("the name %j can be typed as %j", (name, text) => {
  expect(typable(name)).toBe(text);
  expect(typable(text)).toBe(text);
});
