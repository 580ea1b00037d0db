import { BACKSLASH, LETTER_U, QUOTE } from "./json-text";

const ESCAPES = new Map([..."bfnrt"].map((letter, n) => [letter.charCodeAt(0), "\b\f\n\r\t".charCodeAt(n)]));
const ESCAPE_BYTES = 2;
const UNICODE_ESCAPE_BYTES = 6;
/** Stands for every character beyond ASCII that was written as an escape. */
const OTHER = 0x7f;

/** Takes the JSON text of a string byte by byte and says what each of its bytes stands for, and from where to where that is written. */
export class StringBytes {
  private isBegun = false;
  /** What was read of an escape. */
  private escape = "";

  constructor(
    private readonly found: (byte: number, from: number, to: number) => void,
    /** Told where the closing quote is. */
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
