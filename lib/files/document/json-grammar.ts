/** The grammar of JSON's tokens, byte by byte (RFC 8259), and of the UTF-8 in its strings (RFC 3629). */

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const LETTER_U = 0x75;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_ARRAY = 0x5b;
export const CLOSE_ARRAY = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Whether `byte` is one of 0-9, a-f, A-F. */
export function isHex(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66) || (byte >= 0x41 && byte <= 0x46);
}

/** Whether `byte` may follow a backslash. `u` is among them; four hex digits follow it. */
export function isEscape(byte: number): boolean {
  return byte < 0x80 && '"\\/bfnrtu'.includes(String.fromCharCode(byte));
}

/**
 * 1 if a byte represents itself in a string: not a quote, backslash, control character or part of a longer character.
 */
export const STANDS_FOR_ITSELF = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte < 0x80 && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0,
);

/** The rest of a multi-byte character: how many bytes remain, and the range of the next one. */
export interface Continuation {
  count: number;
  least: number;
  most: number;
}

/** The rest of a character with this first byte; undefined if it does not begin a multi-byte character. */
export function continuation(first: number): Continuation | undefined {
  if (first < 0xc2 || first > 0xf4) return undefined;
  const count = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  return { count, least, most };
}

/** The position inside a number. It may end only after "zero", "whole", "decimals" and "exponent". */
export type NumberPart = "minus" | "zero" | "whole" | "point" | "decimals" | "e" | "sign" | "exponent";

/** The part that begins a number with `byte`; undefined if none does. */
export function numberBegin(byte: number): NumberPart | undefined {
  if (byte === 0x2d) return "minus";
  if (byte === 0x30) return "zero";
  return isDigit(byte) ? "whole" : undefined;
}

/** The part of the number that `byte` leads to; undefined if it is not part of the number. */
export function numberNext(part: NumberPart, byte: number): NumberPart | undefined {
  const digit = isDigit(byte);
  const e = byte === 0x65 || byte === 0x45;
  switch (part) {
    case "minus":
      return byte === 0x30 ? "zero" : digit ? "whole" : undefined;
    case "zero":
    case "whole":
      if (digit && part === "whole") return "whole";
      return byte === 0x2e ? "point" : e ? "e" : undefined;
    case "point":
      return digit ? "decimals" : undefined;
    case "decimals":
      return digit ? "decimals" : e ? "e" : undefined;
    case "e":
      return digit ? "exponent" : byte === 0x2b || byte === 0x2d ? "sign" : undefined;
    case "sign":
    case "exponent":
      return digit ? "exponent" : undefined;
  }
}

export function numberMayEnd(part: NumberPart): boolean {
  return part === "zero" || part === "whole" || part === "decimals" || part === "exponent";
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
