import { copyBytes } from "./content";
import { DATA } from "./entry";
import { EntryScanner } from "./entry-scanner";
import { JsonUnescape, QUOTE } from "./json-string";

const COMMA = 0x2c;
const DIGITS_PER_GROUP = 4;
/** The maximum rest of a previous piece: half a character. */
const MAX_LEFT = 4;

/** Decodes the content of one entry from stored text that begins with it. */
export class ContentDecoder {
  name = "";
  type = "";
  /** The media type of the data: URL; "" if there is none, or it has not begun yet. */
  mediaType = "";
  isComplete = false;
  private decoded = Buffer.alloc(0);
  private length = 0;
  private header = "";
  private isInHeader: boolean;
  /** Digits that do not fill a group yet. */
  private digits = "";
  /** Whether its data is a string; undefined until it begins. The content of other data is its JSON text. */
  private isString: boolean | undefined;
  private readonly unescape = new JsonUnescape((chunk, from, to) => this.put(chunk, from, to));
  private readonly scanner = new EntryScanner({
    value: (position, chunk, from, to) => {
      if (position !== DATA || this.isComplete) return;
      this.isString ??= chunk[from] === QUOTE;
      if (this.isString) this.unescape.add(chunk, from, to);
      else this.put(chunk, from, to);
    },
    entry: ({ name, type }) => {
      if (this.isComplete) return;
      this.isComplete = true;
      this.name = name;
      this.type = type;
    },
  });

  constructor(private readonly isBase64: boolean) {
    this.isInHeader = isBase64;
  }

  /** Adds the next part of the stored text and returns its decoded bytes. */
  push(text: Uint8Array): Uint8Array {
    this.decoded = Buffer.allocUnsafe(text.length + MAX_LEFT);
    this.length = 0;
    this.scanner.push(text);
    if (this.isComplete) this.unescape.end();
    if (!this.isComplete) ({ name: this.name, type: this.type } = this.scanner.parts);
    const bytes = this.decoded.subarray(0, this.length);
    return this.isBase64 ? this.fromBase64(bytes) : bytes;
  }

  private put(chunk: Uint8Array, from: number, to: number): void {
    copyBytes(chunk, from, to, this.decoded, this.length);
    this.length += to - from;
  }

  private fromBase64(bytes: Buffer): Buffer {
    let from = 0;
    if (this.isInHeader) {
      const comma = bytes.indexOf(COMMA);
      from = comma < 0 ? bytes.length : comma + 1;
      this.header += bytes.toString("latin1", 0, from);
      this.isInHeader = comma < 0;
      if (comma >= 0) this.mediaType = this.header.slice("data:".length, -";base64,".length);
    }
    const digits = this.digits + bytes.toString("latin1", from);
    const complete = digits.length - (digits.length % DIGITS_PER_GROUP);
    this.digits = digits.slice(complete);
    return Buffer.from(digits.slice(0, complete), "base64");
  }
}
