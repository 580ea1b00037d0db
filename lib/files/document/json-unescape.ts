import { BACKSLASH, QUOTE } from "./json-grammar";

/** Below this length, a loop is faster than creating the view that `indexOf` needs. */
const SHORT = 64;
const ESCAPES = new Map(
  Object.entries({ b: 8, t: 9, n: 10, f: 12, r: 13, '"': QUOTE, "\\": BACKSLASH, "/": 0x2f }).map(([c, byte]) => [
    c.charCodeAt(0),
    byte,
  ]),
);
const LETTER_U = 0x75;
const HEX_DIGITS = 4;

/** Takes the bytes `from` to `to` of `chunk`, and must not keep them. */
export type Sink = (chunk: Uint8Array, from: number, to: number) => void;

/**
 * Decodes the JSON text of a string, including its quotes, to UTF-8 as a stream. A lone surrogate becomes U+FFFD: UTF-8
 * has no bytes for it.
 */
export class JsonUnescape {
  /** 0 outside an escape, -1 after a backslash, or the number of hex digits still to come. */
  private escape = 0;
  private unit = 0;
  /** An escaped high surrogate; 0 if there is none. */
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
        // An unescaped quote can only be the closing one.
        this.plain(chunk, i, chunk[end - 1] === QUOTE && end > i ? end - 1 : end);
        if (end < to) this.escape = -1;
        i = end + 1;
      }
    }
  }

  /** Marks the string as complete. The next one may follow. */
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

/** The first position of `byte` between `from` and `to`; `to` if it does not occur. */
function indexOfByte(chunk: Uint8Array, byte: number, from: number, to: number): number {
  if (to - from > SHORT) {
    const found = chunk.subarray(from, to).indexOf(byte);
    return found < 0 ? to : from + found;
  }
  let i = from;
  while (i < to && chunk[i] !== byte) i++;
  return i;
}
