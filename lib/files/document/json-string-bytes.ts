import { BACKSLASH, LETTER_U, QUOTE } from "./json-grammar";

const ESCAPES = new Map([..."bfnrt"].map((letter, n) => [letter.charCodeAt(0), "\b\f\n\r\t".charCodeAt(n)]));
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
    private readonly found: (byte: number, from: number, to: number) => void,
    /** Called with the position of the closing quote. */
    private readonly ended: (at: number) => void,
  ) {}

  add(byte: number, at: number): void {
    if (this.escape !== "") this.escaped(byte, at);
    else if (byte === BACKSLASH) this.escape = "\\";
    else if (byte !== QUOTE) this.found(byte, at, at + 1);
    else if (this.isBegun) this.ended(at);
    this.isBegun = true;
  }

  private escaped(byte: number, at: number): void {
    this.escape += String.fromCharCode(byte);
    const isUnicode = this.escape.charCodeAt(1) === LETTER_U;
    const { length } = this.escape;
    if (length < (isUnicode ? UNICODE_ESCAPE_BYTES : ESCAPE_BYTES)) return;
    const unit = isUnicode ? Number.parseInt(this.escape.slice(2), 16) : (ESCAPES.get(byte) ?? byte);
    this.escape = "";
    this.found(Math.min(unit, OTHER), at + 1 - length, at + 1);
  }
}
