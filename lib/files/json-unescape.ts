import { BACKSLASH, QUOTE } from "./json-text";

/** Below this, a loop takes less time than making the view that `indexOf` needs. */
const SHORT = 64;
const ESCAPES = new Map(
  Object.entries({ b: 8, t: 9, n: 10, f: 12, r: 13, '"': QUOTE, "\\": BACKSLASH, "/": 0x2f }).map(([c, byte]) => [c.charCodeAt(0), byte]),
);
const LETTER_U = 0x75;
const HEX_DIGITS = 4;

/** Takes bytes: they are the `from` to `to` of `chunk`, and not to be kept. */
export type Sink = (chunk: Uint8Array, from: number, to: number) => void;

/**
 * Turns the JSON text of a string, its quotes included, into the UTF-8 of what it stands for, as it comes. A half of a
 * character that stands alone becomes U+FFFD: UTF-8 has no bytes for it.
 */
export class JsonUnescape {
  /** 0 outside of an escape, -1 after a backslash, or how many hex digits are still to come. */
  private escape = 0;
  private unit = 0;
  /** The first half of a character, escaped; 0 where there is none. */
  private high = 0;
  private isFirst = true;
  private readonly character = Buffer.alloc(4);

  constructor(private readonly sink: Sink) {}

  add(chunk: Uint8Array, from: number, to: number): void {
    let i = from;
    if (this.isFirst && i < to) i++;
    this.isFirst = false;
    while (i < to) {
      if (this.escape !== 0) this.escaped(chunk[i++] ?? 0);
      else {
        const end = indexOfByte(chunk, BACKSLASH, i, to);
        // Unescaped, a quote can only be the one that ends the string.
        this.plain(chunk, i, chunk[end - 1] === QUOTE && end > i ? end - 1 : end);
        if (end < to) this.escape = -1;
        i = end + 1;
      }
    }
  }

  /** Says that the string is complete. The next one may follow. */
  end(): void {
    this.endHigh();
    this.isFirst = true;
  }

  private plain(chunk: Uint8Array, from: number, to: number): void {
    if (from === to) return;
    this.endHigh();
    this.sink(chunk, from, to);
  }

  private escaped(byte: number): void {
    if (this.escape === -1) {
      this.escape = byte === LETTER_U ? HEX_DIGITS : 0;
      this.unit = 0;
      if (byte !== LETTER_U) this.put(ESCAPES.get(byte) ?? byte);
      return;
    }
    this.unit = this.unit * 16 + Number.parseInt(String.fromCharCode(byte), 16);
    if (--this.escape === 0) this.put(this.unit);
  }

  private put(unit: number): void {
    if (unit >= 0xdc00 && unit <= 0xdfff && this.high > 0) {
      const character = String.fromCharCode(this.high, unit);
      this.high = 0;
      this.write(character);
      return;
    }
    this.endHigh();
    if (unit >= 0xd800 && unit <= 0xdbff) this.high = unit;
    else this.write(String.fromCharCode(unit));
  }

  private endHigh(): void {
    if (this.high === 0) return;
    this.high = 0;
    this.write("\ufffd");
  }

  private write(character: string): void {
    this.sink(this.character, 0, this.character.write(character));
  }
}

/** Where `byte` is first found between `from` and `to`; `to` where it is not. */
function indexOfByte(chunk: Uint8Array, byte: number, from: number, to: number): number {
  if (to - from > SHORT) {
    const found = chunk.subarray(from, to).indexOf(byte);
    return found < 0 ? to : from + found;
  }
  let i = from;
  while (i < to && chunk[i] !== byte) i++;
  return i;
}
