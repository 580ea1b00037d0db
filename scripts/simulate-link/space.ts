import { ALPHABET, CODE_LENGTH } from "@/lib/link/letters";
import { isRude } from "@/lib/link/rude";
import { Bits } from "./bits";

export const ALL_CODES = ALPHABET.length ** CODE_LENGTH;
/** A code with one letter masked has one more digit to write the mask with. */
const BASE = ALPHABET.length + 1;
const PLACES = Array.from({ length: CODE_LENGTH }, (_, place) => BASE ** place);

/** The letters of a code's number. */
export function lettersOf(code: number): string {
  let [letters, rest] = ["", code];
  for (let place = 0; place < CODE_LENGTH; place++) {
    letters += ALPHABET[rest % ALPHABET.length];
    rest = Math.floor(rest / ALPHABET.length);
  }
  return letters;
}

/** The number of a code's letters. */
export const numberOf = (letters: string): number =>
  [...letters].reduceRight((number, letter) => number * ALPHABET.length + ALPHABET.indexOf(letter), 0);

/** The numbers of the code's masks: as lib/link/hashes.ts makes them, one for each letter. */
function masksOf(code: number): number[] {
  const digits: number[] = [];
  for (let rest = code; digits.length < CODE_LENGTH; rest = Math.floor(rest / ALPHABET.length))
    digits.push(rest % ALPHABET.length);
  const whole = digits.reduce((sum, digit, place) => sum + digit * (PLACES[place] ?? 0), 0);
  return digits.map((digit, place) => whole + (ALPHABET.length - digit) * (PLACES[place] ?? 0));
}

/** Which codes are too close to a live one, and which letters were used in the last 30 days. */
export class LetterSpace {
  private readonly masks = new Bits(BASE ** CODE_LENGTH);
  private readonly used = new Bits(ALL_CODES);

  /** Why letters cannot be issued; null: they can. */
  refusalOf(code: number): "rude" | "close" | "used" | null {
    if (this.isUsed(code)) return "used";
    if (this.isClose(code)) return "close";
    return isRude(lettersOf(code)) ? "rude" : null;
  }

  isUsed(code: number): boolean {
    return this.used.has(code);
  }

  /** Whether a live code differs in one letter, or in none. */
  isClose(code: number): boolean {
    return masksOf(code).some((mask) => this.masks.has(mask));
  }

  issue(code: number): void {
    this.used.add(code);
    for (const mask of masksOf(code)) this.masks.add(mask);
  }

  /** It can no longer be collected: others may be close to it, but its letters stay used. */
  end(code: number): void {
    for (const mask of masksOf(code)) this.masks.remove(mask);
  }

  /** Letters of a code of the last 30 days that has ended. */
  markUsed(code: number): void {
    this.used.add(code);
  }
}
