import { randomInt } from "node:crypto";
import { ApiError } from "@/lib/errors";
import { isRude } from "./rude";

/** The letters of codes: no I and no O, which resemble other characters (contract, section 4: letters). */
export const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ";
export const CODE_LENGTH = 6;

/** Six letters from a CSPRNG without rude words. */
export function drawLetters(): string {
  for (;;) {
    const letters = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
    if (!isRude(letters)) return letters;
  }
}

/** The letters that a program sent, in upper case, or null unless they are exactly six of A to Z. */
export function codeLetters(text: string): string | null {
  // ASCII is tested first: "abcdß", five characters, becomes six letters in upper case.
  return /^[A-Za-z]{6}$/.test(text) ? text.toUpperCase() : null;
}

export interface TypedCode {
  letters: string;
  /** Some letters were typed in another script and read as the Latin letters they resemble. */
  lookAlikes: boolean;
}

/**
 * The letters that a person typed or pasted on the page; spaces, hyphens and case are ignored. Throws 400
 * `invalid_code` with a sentence that says what is wrong.
 */
export function readTypedCode(text: string): TypedCode {
  const typed = [...text.replace(/[\p{White_Space}\p{Pd}\p{Cf}_]/gu, "")];
  if (typed.length === 0) throw invalidCode("Enter the six letters that the program shows.");
  const read = typed.map((character) => latin(character));
  const strange = typed.find((_, index) => read[index] === undefined);
  if (strange !== undefined) throw invalidCode(`A code has only the letters A to Z, not “${strange}”.`);
  if (read.length !== CODE_LENGTH) throw invalidCode(`A code has six letters; you entered ${read.length}.`);
  const letters = read.join("");
  if (/[IO]/.test(letters))
    throw invalidCode("Codes never contain I or O. Look again: it may be an L, a J, a Q or a D.");
  return { letters, lookAlikes: typed.some((character) => !/^[A-Za-z]$/.test(character)) };
}

function latin(character: string): string | undefined {
  if (/^[A-Za-z]$/.test(character)) return character.toUpperCase();
  // Full-width A to Z and a to z have a fixed distance from the plain ones.
  if (/^[\uFF21-\uFF3A\uFF41-\uFF5A]$/.test(character))
    return String.fromCharCode(character.charCodeAt(0) - 0xfee0).toUpperCase();
  return LOOK_ALIKES.get(character) ?? LOOK_ALIKES.get(character.toUpperCase());
}

const pairs = (theirs: string, ours: string) =>
  [...theirs].map((letter, index): [string, string] => [letter, ours[index] ?? ""]);

/** Capital letters of keyboards that people forget to switch. */
const LOOK_ALIKES = new Map([
  ...pairs("АВЕКМНОРСТУХЅІЈ", "ABEKMHOPCTYXSIJ"), // Cyrillic
  ...pairs("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"), // Greek
]);

const invalidCode = (sentence: string) => new ApiError(400, "invalid_code", sentence);
