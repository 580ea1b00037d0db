import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codeInAddress } from "@/app/(pages)/link/address";
import { ALPHABET, drawCode, hashMasks, isRude, parseCode, parseEnteredCode } from "@/lib/link/code";

const code = fc.array(fc.constantFrom(...ALPHABET), { minLength: 6, maxLength: 6 }).map((letters) => letters.join(""));

it("of what a program sends, six ASCII letters are a code and nothing else is, whatever the text", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: "binary", maxLength: 8 }), fc.string({ unit: "grapheme", maxLength: 8 }), code),
      (text) => {
        const isSixLetters =
          text.length === 6 &&
          [...text].every((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".includes(letter));
        expect(parseCode(text)).toBe(isSixLetters ? text.toUpperCase() : null);
      },
    ),
  );
});

describe("what a user enters", () => {
  it("reads six letters in any case, with blanks, dashes and what is invisible between them", () => {
    const inputs = ["KMTRWB", "kmt rwb", "KMT-RWB", " k m t r w b ", "KMT\u00A0RWB\n", "KMT–RWB", "kmt_rwb"];
    for (const text of [...inputs, "\u200BKMTRWB\uFEFF"])
      expect(parseEnteredCode(text), text).toEqual({ code: "KMTRWB", isTransliterated: false });
  });

  it.each([
    ["Cyrillic capitals", "КМТРАВ", "KMTPAB"],
    ["Cyrillic small letters", "кмтрав", "KMTPAB"],
    ["Greek", "ΚΜΤΡΑΒ", "KMTPAB"],
    ["full-width", "ＫＭＴｒｗｂ", "KMTRWB"],
    ["one of another script among Latin ones", "KMTRWВ", "KMTRWB"],
  ])("recognises %s look-alikes and says so", (_, text, code) =>
    expect(parseEnteredCode(text)).toEqual({ code, isTransliterated: true }),
  );

  it.each([
    ["", "Enter the six letters"],
    ["  - ", "Enter the six letters"],
    ["KMTRW", "you entered 5"],
    ["KMTRWBB", "you entered 7"],
    ["KMTRW8", "not “8”"],
    ["abcdß", "not “ß”"],
    ["abcde\u212A", "only the letters A to Z, not"],
    ["abcdﬀ", "only the letters A to Z, not"],
    ["KMTRWI", "never contain I or O"],
    ["КМТРВО", "never contain I or O"],
    ["A".repeat(100_000), "you entered 100000"],
  ])("says what is wrong with %.12j", (text, sentence) =>
    expect(() => parseEnteredCode(text)).toThrow(
      expect.objectContaining({ status: 400, code: "invalid_code", message: expect.stringContaining(sentence) }),
    ),
  );

  it("returns a code of our letters, or refuses, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 12 }), (text) => {
        let code = "";
        try {
          code = parseEnteredCode(text).code;
        } catch (error) {
          expect(error).toMatchObject({ code: "invalid_code" });
          return;
        }
        expect(code).toMatch(/^[A-HJ-NP-Z]{6}$/);
      }),
    );
  });
});

describe("drawn codes", () => {
  it("have six letters of the alphabet, evenly, and never rude", () => {
    const drawn = Array.from({ length: 6_000 }, drawCode);
    const counts = new Map<string, number>();
    for (const letters of drawn) {
      expect(letters).toMatch(/^[A-HJ-NP-Z]{6}$/);
      expect(isRude(letters)).toBe(false);
      for (const letter of letters) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
    // 36,000 letters: 1,500 of each are expected, and seven standard deviations are 266.
    expect(counts.size).toBe(24);
    for (const count of counts.values()) expect(Math.abs(count - 1_500)).toBeLessThan(266);
  });

  it.each(["FUCKAB", "AFUCKB", "ABCUNT", "XXXABC"])("know %s as rude", (letters) => expect(isRude(letters)).toBe(true));

  it("share a mask with another code exactly when they differ in at most one letter", () => {
    const neighbour = fc
      .tuple(code, fc.nat(5), fc.constantFrom(...ALPHABET))
      .map(([letters, position, letter]): [string, string] => {
        return [letters, letters.slice(0, position) + letter + letters.slice(position + 1)];
      });
    fc.assert(
      fc.property(fc.oneof(fc.tuple(code, code), neighbour), ([one, other]) => {
        const differing = [...one].filter((letter, position) => letter !== other[position]).length;
        const others = Object.values(hashMasks(other));
        const shared = Object.values(hashMasks(one)).filter((mask, n) => mask === others[n]).length;
        expect(shared).toBe(differing === 0 ? 6 : differing === 1 ? 1 : 0);
      }),
    );
  });
});

it.each([
  ["https://keys.example.org/link?code=KMTRWB", "KMTRWB"],
  ["  http://localhost:3000/link?code=kmtrwb\n", "kmtrwb"],
  ["keys.example.org/link?code=KMT-RWB", "KMT-RWB"],
  ["https://keys.example.org/link/?a=b&code=KMTRWB#there", "KMTRWB"],
  ["https://keys.example.org/link?code=%4bMTRWB", "KMTRWB"],
  ["HTTPS://KEYS.EXAMPLE.ORG/LINK?CODE=KMTRWB", "KMTRWB"],
  ['<https://keys.example.org/link?code=KMTRWB>; rel="verification"', "KMTRWB"],
  ["Open (https://keys.example.org/link?code=KMTRWB).", "KMTRWB"],
  ["Go to\nkeys.example.org/link?code=KMTRWB\nand sign in", "KMTRWB"],
  ["/link?code=%", "%"],
  ["/link?code=", ""],
])("an address that a person pastes, %j, has the code %s", (text, code) => expect(codeInAddress(text)).toBe(code));

it.each([
  "KMTRWB",
  "",
  "https://keys.example.org/link",
  "https://keys.example.org/link?user=a",
  "https://keys.example.org/keys?code=KMTRWB",
  "https://keys.example.org/backlink?code=KMTRWB",
  `${"x".repeat(2_000)} /link?code=KMTRWB`,
  "link?".repeat(100_000),
])("an address that a person pastes, %.60j, has no code", (text) => expect(codeInAddress(text)).toBeUndefined());
