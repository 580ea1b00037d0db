import * as json from "./json-grammar";

const IN_ESCAPE = -1;

/** Reads the JSON text of strings after their opening quote, in any number of parts. */
export class JsonString {
  /** Whether the closing quote was read. */
  isComplete = false;
  /** 0, or IN_ESCAPE after a backslash, or the number of hex digits still to come. */
  private escape = 0;
  /** The rest of a multi-byte character. */
  private character: json.Continuation = { count: 0, least: 0, most: 0 };

  /** `unexpected` gets the position of an invalid byte, and whether it is invalid UTF-8. It must throw. */
  constructor(private readonly unexpected: (i: number, isBroken: boolean) => never) {}

  begin(): void {
    this.isComplete = false;
  }

  /** Takes the bytes of the string, and returns where they end. */
  take(chunk: Uint8Array, from: number): number {
    let i = from;
    while (i < chunk.length && !this.isComplete) {
      // Nearly all bytes of nearly all documents are skipped by this loop.
      if (this.escape === 0 && this.character.count === 0)
        while (i < chunk.length && json.STANDS_FOR_ITSELF[chunk[i] ?? 0] === 1) i++;
      if (i === chunk.length) break;
      this.special(chunk[i] ?? 0, i);
      i++;
    }
    return i;
  }

  private special(byte: number, i: number): void {
    if (this.escape !== 0) this.escaped(byte, i);
    else if (this.character.count > 0) this.continued(byte, i);
    else if (byte === json.BACKSLASH) this.escape = IN_ESCAPE;
    else if (byte === json.QUOTE) this.isComplete = true;
    else this.character = json.continuation(byte) ?? this.unexpected(i, byte >= 0x80);
  }

  private escaped(byte: number, i: number): void {
    if (!(this.escape === IN_ESCAPE ? json.isEscape(byte) : json.isHex(byte))) this.unexpected(i, false);
    this.escape = this.escape === IN_ESCAPE ? (byte === json.LETTER_U ? 4 : 0) : this.escape - 1;
  }

  private continued(byte: number, i: number): void {
    if (byte < this.character.least || byte > this.character.most) this.unexpected(i, true);
    this.character = { count: this.character.count - 1, least: 0x80, most: 0xbf };
  }
}
