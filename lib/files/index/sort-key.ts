import { hash } from "node:crypto";

/**
 * Maximum bytes of each part of a key: the part for letters and numbers, the part that separates names equal in these,
 * and the part that separates all others.
 */
const MOST_MAIN = 64;
const MOST_TIE = 24;
const HASH_BYTES = 6;
/** Characters of a name that are read: more never fit into a key. */
const MOST_READ = 2 * MOST_MAIN;

/** Punctuation in the order people expect: before digits and letters (the order of the Unicode Collation Algorithm). */
const SIGNS = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";
const FIRST_SIGN = 0x02;
const OTHER_SIGN = 0x2a;
const NUMBER = 0x30;
const ZERO = 0x30;
const isDigit = (code: number) => code >= ZERO && code <= 0x39;
const isUpper = (code: number) => code > 0x40 && code < 0x5b;

/** The byte of each ASCII character; 0: skipped. */
const BYTES = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code).toLowerCase();
  const sign = SIGNS.indexOf(letter);
  return sign >= 0 ? FIRST_SIGN + sign : /[a-z]/.test(letter) ? letter.charCodeAt(0) : 0;
});

/** Letters that Unicode does not decompose. */
const LIKE: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  ħ: "h",
  ı: "i",
  ŧ: "t",
  þ: "th",
};
const ASCII = /^[\0-\x7f]*$/;
const MARK = /^\p{M}/u;
const SIGN = /^[\p{P}\p{S}\p{Z}]/u;

// Reused for each key: one import makes a million of them.
const key = Buffer.alloc(MOST_MAIN + 2 * (MOST_TIE + 1) + HASH_BYTES + 1);
const marks = Buffer.alloc(MOST_MAIN);
const cases = Buffer.alloc(MOST_MAIN);
let length = 0;

/**
 * The sort key of a name as hex digits: ignores case and accents, and compares numbers by value. Among names that are
 * equal so far, unaccented and lower case come first. A name has the same key everywhere, and no other name has it. At
 * most 121 bytes.
 */
export function nameSortKey(name: string): string {
  write(name);
  const letters = length;
  for (const ties of [marks, cases]) {
    let last = Math.min(letters, MOST_TIE);
    while (last > 0 && ties[last - 1] === 1) last--;
    key[length++] = 0;
    length += ties.copy(key, length, 0, last);
  }
  key[length] = 0;
  return key.toString("hex", 0, length + 1) + hash("sha256", name, "hex").slice(0, 2 * HASH_BYTES);
}

/**
 * The same for values that many entries share, like a file's extension: only letters and numbers count. At most 64
 * bytes.
 */
export function typeSortKey(type: string): string {
  write(type);
  return key.toString("hex", 0, length);
}

/** Fills `key`, and for each of its bytes `marks` and `cases`. */
function write(name: string): void {
  length = 0;
  const read = name.slice(0, MOST_READ);
  const isAscii = ASCII.test(read);
  const text = isAscii ? read : read.toWellFormed().normalize("NFKD");
  for (let i = 0; i < text.length && length < MOST_MAIN; ) {
    const code = text.charCodeAt(i);
    if (isDigit(code)) i = number(text, i);
    else if (code < 128) {
      const byte = BYTES[code] ?? 0;
      if (byte > 0) put(byte, isUpper(code));
      i++;
    } else {
      const letter = String.fromCodePoint(text.codePointAt(i) ?? 0);
      other(letter);
      i += letter.length;
    }
  }
}

/** A letter beyond ASCII, or a mark on the one before. */
function other(letter: string): void {
  if (MARK.test(letter)) {
    if (length > 0) marks[length - 1] = 2;
    return;
  }
  const lower = letter.toLowerCase();
  const like = LIKE[lower];
  if (SIGN.test(letter)) put(OTHER_SIGN, false);
  for (const byte of Buffer.from(like ?? lower)) put(byte, lower !== letter);
  if (like) marks[length - 1] = 2;
}

/** Writes the number that begins at `from`: its count of digits, then the digits. Returns where it ends. */
function number(text: string, from: number): number {
  let begin = from;
  while (text.charCodeAt(begin) === ZERO) begin++;
  let end = begin;
  while (isDigit(text.charCodeAt(end))) end++;
  put(NUMBER, false);
  put(Math.min(0xff, end - begin), false);
  for (let i = begin; i < end; i++) put(text.charCodeAt(i), false);
  return end;
}

function put(byte: number, isUpperCase: boolean): void {
  if (length === MOST_MAIN) return;
  key[length] = byte;
  marks[length] = 1;
  cases[length++] = isUpperCase ? 2 : 1;
}
