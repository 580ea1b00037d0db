/** The grammar of JSON's tokens, byte by byte (RFC 8259), and of the UTF-8 in its strings (RFC 3629). */

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
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
function isHex(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66) || (byte >= 0x41 && byte <= 0x46);
}

/** Whether `byte` may follow a backslash. `u` is among them; four hex digits follow it. */
function isEscape(byte: number): boolean {
  return byte < 0x80 && '"\\/bfnrtu'.includes(String.fromCharCode(byte));
}

/**
 * 1 if a byte represents itself in a string: not a quote, backslash, control character or part of a longer character.
 */
const STANDS_FOR_ITSELF = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte < 0x80 && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0,
);

/** The rest of a multi-byte character: how many bytes remain, and the range of the next one. */
interface Continuation {
  count: number;
  min: number;
  max: number;
}

/** The rest of a character with this first byte; undefined if it does not begin a multi-byte character. */
function continuation(first: number): Continuation | undefined {
  if (first < 0xc2 || first > 0xf4) return undefined;
  const count = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
  const min = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const max = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  return { count, min, max };
}

/** The position inside a number. It may end only after "zero", "integer", "decimals" and "exponent". */
export type NumberPart = "minus" | "zero" | "integer" | "point" | "decimals" | "e" | "sign" | "exponent";

/** The part that begins a number with `byte`; undefined if none does. */
export function numberBegin(byte: number): NumberPart | undefined {
  if (byte === 0x2d) return "minus";
  if (byte === 0x30) return "zero";
  return isDigit(byte) ? "integer" : undefined;
}

/** The part of the number that `byte` leads to; undefined if it is not part of the number. */
export function numberNext(part: NumberPart, byte: number): NumberPart | undefined {
  const digit = isDigit(byte);
  const e = byte === 0x65 || byte === 0x45;
  switch (part) {
    case "minus":
      return byte === 0x30 ? "zero" : digit ? "integer" : undefined;
    case "zero":
    case "integer":
      if (digit && part === "integer") return "integer";
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
  return part === "zero" || part === "integer" || part === "decimals" || part === "exponent";
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** Below this length, a loop is faster than creating the view that `indexOf` needs. */
const SHORT = 64;
/** What the letters after a backslash stand for. Other characters stand for themselves. */
const UNESCAPED = new Map([..."bfnrt"].map((letter, n) => [letter.charCodeAt(0), "\b\f\n\r\t".charCodeAt(n)]));
const HEX_DIGITS = 4;

/** Gets the bytes `from` to `to` of `chunk`, and must not retain them. */
type Sink = (chunk: Uint8Array, from: number, to: number) => void;

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
      if (byte !== LETTER_U) this.put(UNESCAPED.get(byte) ?? byte);
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
    const at = chunk.subarray(from, to).indexOf(byte);
    return at < 0 ? to : from + at;
  }
  let i = from;
  while (i < to && chunk[i] !== byte) i++;
  return i;
}

const IN_ESCAPE = -1;

/** Reads the JSON text of strings after their opening quote, in any number of parts. */
export class JsonString {
  /** Whether the closing quote was read. */
  isComplete = false;
  /** 0, or IN_ESCAPE after a backslash, or the number of hex digits still to come. */
  private escape = 0;
  /** The rest of a multi-byte character. */
  private character: Continuation = { count: 0, min: 0, max: 0 };

  /** `unexpected` gets the position of an invalid byte, and whether it is invalid UTF-8. It must throw. */
  constructor(private readonly unexpected: (i: number, isBroken: boolean) => never) {}

  begin(): void {
    this.isComplete = false;
  }

  /** Reads the bytes of the string, and returns where they end. */
  read(chunk: Uint8Array, from: number): number {
    let i = from;
    while (i < chunk.length && !this.isComplete) {
      // Nearly all bytes of nearly all documents are skipped by this loop.
      if (this.escape === 0 && this.character.count === 0)
        while (i < chunk.length && STANDS_FOR_ITSELF[chunk[i] ?? 0] === 1) i++;
      if (i === chunk.length) break;
      this.special(chunk[i] ?? 0, i);
      i++;
    }
    return i;
  }

  private special(byte: number, i: number): void {
    if (this.escape !== 0) this.escaped(byte, i);
    else if (this.character.count > 0) this.continued(byte, i);
    else if (byte === BACKSLASH) this.escape = IN_ESCAPE;
    else if (byte === QUOTE) this.isComplete = true;
    else this.character = continuation(byte) ?? this.unexpected(i, byte >= 0x80);
  }

  private escaped(byte: number, i: number): void {
    if (!(this.escape === IN_ESCAPE ? isEscape(byte) : isHex(byte))) this.unexpected(i, false);
    this.escape = this.escape === IN_ESCAPE ? (byte === LETTER_U ? 4 : 0) : this.escape - 1;
  }

  private continued(byte: number, i: number): void {
    if (byte < this.character.min || byte > this.character.max) this.unexpected(i, true);
    this.character = { count: this.character.count - 1, min: 0x80, max: 0xbf };
  }
}

const ESCAPE_BYTES = 2;
const UNICODE_ESCAPE_BYTES = 6;
/** Represents every non-ASCII character that was written as an escape. */
const OTHER = 0x7f;

/** Decodes the JSON text of a string byte by byte. Reports each decoded byte and the bytes that encode it. */
export class JsonStringBytes {
  private isBegun = false;
  /** The part of an escape read so far. */
  private escape = "";

  constructor(
    private readonly onByte: (byte: number, from: number, to: number) => void,
    /** Called with the position of the closing quote. */
    private readonly onEnd: (at: number) => void,
  ) {}

  add(byte: number, at: number): void {
    if (this.escape !== "") this.escaped(byte, at);
    else if (byte === BACKSLASH) this.escape = "\\";
    else if (byte !== QUOTE) this.onByte(byte, at, at + 1);
    else if (this.isBegun) this.onEnd(at);
    this.isBegun = true;
  }

  private escaped(byte: number, at: number): void {
    this.escape += String.fromCharCode(byte);
    const isUnicode = this.escape.charCodeAt(1) === LETTER_U;
    const { length } = this.escape;
    if (length < (isUnicode ? UNICODE_ESCAPE_BYTES : ESCAPE_BYTES)) return;
    const unit = isUnicode ? Number.parseInt(this.escape.slice(2), 16) : (UNESCAPED.get(byte) ?? byte);
    this.escape = "";
    this.onByte(Math.min(unit, OTHER), at + 1 - length, at + 1);
  }
}
