import { expect, test } from "vitest";
import { foldCase } from "@/lib/files/document/fold-case";

const MOST = 0x10ffff;
const characters = Array.from({ length: MOST + 1 }, (_, point) => point)
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point));
const cased = characters.filter(
  (character) => character.toLowerCase() !== character || character.toUpperCase() !== character,
);
/** The engine's simple case folding: how `i` and `u` compare (ECMAScript, Canonicalize). */
const alike = (one: string, other: string) =>
  new RegExp(`^\\u{${one.codePointAt(0)?.toString(16)}}$`, "iu").test(other);

test("Two characters have one fold where simple case folding makes them one, and only there", () => {
  const changed = characters.filter((character) => foldCase(character) !== character);
  // Engines that know fewer letters than Unicode 17.0 know no case of the others.
  const known = changed.filter((character) => cased.includes(character));
  expect(changed.length).toBeGreaterThan(1_450);
  expect(known.filter((character) => !alike(character, foldCase(character)))).toEqual([]);
  // Letters that the engine folds and we do not would be newer than Unicode 17.0.
  const all = cased.join("");
  const apart = cased.filter((character) =>
    [...all.matchAll(new RegExp(`\\u{${character.codePointAt(0)?.toString(16)}}`, "giu"))].some(
      ([other]) => foldCase(other) !== foldCase(character),
    ),
  );
  expect(Number(process.versions.unicode) > 17 ? [] : apart).toEqual([]);
});

test("A fold is as long as the text, and has no other one", () => {
  const wrong = characters.filter(
    (character) =>
      foldCase(character).length !== character.length || foldCase(foldCase(character)) !== foldCase(character),
  );
  expect(wrong).toEqual([]);
});

test.each([
  ["Origin/(C) Users/ALICE", "origin/(c) users/alice"],
  ["ÄÖÜ ẞ ſ K Å Σς", "äöü ß s k å σσ"],
  // No folding to several letters, no normalisation, no Turkish: those are other names.
  ["STRASSE straße", "strasse straße"],
  ["İI ıi", "İi ıi"],
  ["e\u0301 É", "e\u0301 é"],
  ["𐐀\ud800 \udc00", "𐐨\ud800 \udc00"],
])("%j is folded to %j", (text, folded) => expect(foldCase(text)).toBe(folded));
