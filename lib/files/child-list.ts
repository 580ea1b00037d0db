import { BACKSLASH, CLOSE_ARRAY, COMMA, isBlank, isHex, OPEN_ARRAY, QUOTE } from "./json-text";

const ID_DIGITS = 32;

/**
 * Checks a folder's data as it passes: an array of ids, or a string that holds such an array (both are found in stored
 * documents). Whether the ids are those of its children is not asked: an entry's location says where it is, and lists
 * that are out of date exist.
 */
export class ChildList {
  /** Whether what passed so far can be such a list. */
  valid = true;
  private expected: "list" | "id or end" | "id" | "digit" | "comma or end" | "nothing" = "list";
  private digits = 0;
  private escaped = false;
  private isFirst = true;

  /** `inString`: the JSON text that is added is that of a string. */
  constructor(private readonly inString: boolean) {}

  add(chunk: Uint8Array, from: number, to: number): void {
    for (let i = from; i < to && this.valid; i++) {
      const byte = chunk[i] ?? 0;
      if (this.inString) this.unescaped(byte);
      else this.next(byte);
    }
  }

  isComplete(): boolean {
    return this.valid && this.expected === "nothing";
  }

  /** The quotes around the string are not the list's; inside it every quote is escaped, as blanks may be. */
  private unescaped(byte: number): void {
    if (this.escaped) {
      this.escaped = false;
      if (byte === QUOTE) this.next(QUOTE);
      else this.valid = byte === 0x6e || byte === 0x72 || byte === 0x74;
    } else if (byte === BACKSLASH) this.escaped = true;
    else if (byte === QUOTE) this.valid = this.isFirst || this.isComplete();
    else this.next(byte);
    this.isFirst = false;
  }

  private next(byte: number): void {
    const { expected } = this;
    if (expected === "digit") {
      if (byte === QUOTE && this.digits === ID_DIGITS) this.expected = "comma or end";
      else this.valid = isLowerHex(byte) && ++this.digits <= ID_DIGITS;
    } else if (isBlank(byte)) return;
    else if (expected === "list" && byte === OPEN_ARRAY) this.expected = "id or end";
    else if ((expected === "id" || expected === "id or end") && byte === QUOTE) {
      this.digits = 0;
      this.expected = "digit";
    } else if (expected === "comma or end" && byte === COMMA) this.expected = "id";
    else if ((expected === "comma or end" || expected === "id or end") && byte === CLOSE_ARRAY) this.expected = "nothing";
    else this.valid = false;
  }
}

function isLowerHex(byte: number): boolean {
  return isHex(byte) && (byte < 0x41 || byte > 0x46);
}
