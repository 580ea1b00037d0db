import { randomInt } from "node:crypto";
import { ApiError } from "@/lib/errors";
import { isRude } from "./rude";

/** What codes are made of: no I and no O, which look like other things (contract, section 4: letters). */
export const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ";
export const CODE_LENGTH = 6;

/** Six letters from a CSPRNG that spell nothing rude. */
export function drawLetters(): string {
  for (;;) {
    const letters = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
    if (!isRude(letters)) return letters;
  }
}

/** The letters that a program sent, in upper case, or null when they are not exactly six of A to Z. */
export function codeLetters(text: string): string | null {
  // ASCII is tested first: "abcdß", five characters, becomes six letters in upper case.
  return /^[A-Za-z]{6}$/.test(text) ? text.toUpperCase() : null;
}

export interface Entry {
  letters: string;
  /** Some letters were typed in another script and read as the Latin ones that they look like. */
  lookAlikes: boolean;
}

/**
 * The letters that a person typed or pasted on the page: blanks and hyphens do not count, nor does case. Throws 400
 * `invalid_code` with a sentence that says what is wrong.
 */
export function readEntry(text: string): Entry {
  const typed = [...text.replace(/[\p{White_Space}\p{Pd}\p{Cf}_]/gu, "")];
  if (typed.length === 0) throw invalidCode("Enter the six letters that the program shows.");
  const read = typed.map((character) => latin(character));
  const strange = typed.find((_, index) => read[index] === undefined);
  if (strange !== undefined) throw invalidCode(`A code has only the letters A to Z, and “${strange}” is none of them.`);
  if (read.length !== CODE_LENGTH) throw invalidCode(`A code has six letters; this is ${read.length}.`);
  const letters = read.join("");
  if (/[IO]/.test(letters)) throw invalidCode("Codes have neither I nor O. Look again: it may be an L, a J, a Q or a D.");
  return { letters, lookAlikes: typed.some((character) => !/^[A-Za-z]$/.test(character)) };
}

function latin(character: string): string | undefined {
  if (/^[A-Za-z]$/.test(character)) return character.toUpperCase();
  // Full-width A to Z and a to z stand at a fixed distance from the plain ones.
  if (/^[\uFF21-\uFF3A\uFF41-\uFF5A]$/.test(character)) return String.fromCharCode(character.charCodeAt(0) - 0xfee0).toUpperCase();
  return LOOK_ALIKES.get(character) ?? LOOK_ALIKES.get(character.toUpperCase());
}

const pairs = (theirs: string, ours: string) => [...theirs].map((letter, index): [string, string] => [letter, ours[index] ?? ""]);

/** Capital letters of keyboards that people forget to switch. */
const LOOK_ALIKES = new Map([
  ...pairs("АВЕКМНОРСТУХЅІЈ", "ABEKMHOPCTYXSIJ"), // Cyrillic
  ...pairs("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"), // Greek
]);

const invalidCode = (sentence: string) => new ApiError(400, "invalid_code", sentence);
