import type { Download } from "./download";
import { LatchkeyError } from "./errors";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const OPEN = [0x5b, 0x7b];
const CLOSE = [0x5d, 0x7d];
/** The longest value that is read in one piece: everything but data and lists of children. */
const MAX_VALUE_BYTES = 16 * 1024 * 1024;

/** Reads JSON values from a download, strings piece by piece. */
export class JsonFeed {
  private buffer: Uint8Array = new Uint8Array();
  private at = 0;

  constructor(private readonly download: Download) {}

  /** The position in the document: everything before it was read. */
  get offset(): number {
    return this.download.offset - (this.buffer.length - this.at);
  }

  /** The next byte that is not a blank; it is not read yet. */
  async peek(): Promise<number> {
    for (;;) {
      for (; this.at < this.buffer.length; this.at++) {
        const byte = this.buffer[this.at] ?? 0;
        if (byte !== 0x20 && (byte < 0x09 || byte > 0x0d)) return byte;
      }
      await this.more();
    }
  }

  /** Reads one of these characters. Throws `bad_document` if there is another. */
  async expect(...characters: string[]): Promise<string> {
    const character = String.fromCharCode(await this.peek());
    if (!characters.includes(character)) throw badDocument(`at byte ${this.offset}`);
    this.at++;
    return character;
  }

  /** The pieces of a string, unescaped. A pair of surrogates may be in two pieces. */
  async *string(): AsyncGenerator<string, void, undefined> {
    await this.expect('"');
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    for (let isOpen = true; isOpen; ) {
      if (this.at === this.buffer.length) await this.more();
      const rest = this.buffer.subarray(this.at);
      const quote = endOf(rest);
      isOpen = quote < 0;
      const length = isOpen ? completeEscapes(rest) : quote;
      if (length > 0) yield this.unescaped(decoder, rest.subarray(0, length), isOpen);
      else if (!isOpen) yield this.unescaped(decoder, new Uint8Array(), false);
      this.at += isOpen ? length : length + 1;
      if (isOpen && this.at < this.buffer.length) await this.more();
    }
  }

  private unescaped(decoder: TextDecoder, bytes: Uint8Array, isOpen: boolean): string {
    try {
      const text = decoder.decode(bytes, { stream: isOpen });
      return text.includes("\\") ? JSON.parse(`"${text}"`) : text;
    } catch (cause) {
      throw badDocument(`before byte ${this.offset + bytes.length}`, cause);
    }
  }

  /** A complete value. Throws `bad_document` if it is too large. */
  async value(): Promise<unknown> {
    const parts: string[] = [];
    let bytes = 0;
    for await (const part of this.raw()) {
      bytes += part.length;
      if (bytes > MAX_VALUE_BYTES) throw badDocument(`before byte ${this.offset}: a value is too large`);
      parts.push(part);
    }
    try {
      return JSON.parse(parts.join(""));
    } catch (cause) {
      throw badDocument(`before byte ${this.offset}`, cause);
    }
  }

  /** Reads a value without yielding its pieces. */
  async *skip(): AsyncGenerator<string, void, undefined> {
    for await (const piece of this.raw()) if (piece === undefined) yield piece;
  }

  /** The JSON text of a value as it stands, in pieces. */
  async *raw(): AsyncGenerator<string, void, undefined> {
    await this.peek();
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const value = new ValueScanner();
    do {
      if (this.at === this.buffer.length) await this.more();
      const rest = this.buffer.subarray(this.at);
      const length = value.scan(rest);
      yield this.decoded(decoder, rest.subarray(0, length), !value.isOver);
      this.at += length;
    } while (!value.isOver);
  }

  private decoded(decoder: TextDecoder, bytes: Uint8Array, isOpen: boolean): string {
    try {
      return decoder.decode(bytes, { stream: isOpen });
    } catch (cause) {
      throw badDocument(`before byte ${this.offset + bytes.length}`, cause);
    }
  }

  private async more(): Promise<void> {
    const rest = this.buffer.subarray(this.at);
    const chunk = await this.download.next();
    this.buffer = chunk;
    this.at = 0;
    // At most the beginning of an escape sequence.
    if (rest.length === 0) return;
    this.buffer = new Uint8Array(rest.length + chunk.length);
    this.buffer.set(rest);
    this.buffer.set(chunk, rest.length);
  }
}

/** Finds the end of a JSON value. */
class ValueScanner {
  isOver = false;
  private depth = 0;
  private isInString = false;
  private isEscaped = false;
  private hasBegun = false;

  /** Reads the next bytes. Returns how many of them are the value's. */
  scan(bytes: Uint8Array): number {
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index] ?? 0;
      if (this.isInString) {
        if (this.isEscaped) this.isEscaped = false;
        else if (byte === BACKSLASH) this.isEscaped = true;
        else if (byte === QUOTE) this.isInString = false;
      } else if (byte === QUOTE) this.isInString = true;
      else if (OPEN.includes(byte)) this.depth++;
      else if (CLOSE.includes(byte)) this.depth--;
      // A number or a word, which what follows ends.
      else if (this.depth === 0 && this.hasBegun && isDelimiter(byte)) return this.end(index);
      else {
        this.hasBegun = true;
        continue;
      }
      // What closes the list around a number.
      if (this.depth < 0) return this.end(index);
      if (this.depth === 0 && !this.isInString) return this.end(index + 1);
      this.hasBegun = true;
    }
    return bytes.length;
  }

  private end(length: number): number {
    this.isOver = true;
    return length;
  }
}

const isDelimiter = (byte: number) => byte === 0x2c || byte <= 0x20;

/** Where a string ends, or -1: at the first quote without a backslash, or with an even number of them, before it. */
function endOf(bytes: Uint8Array): number {
  for (let quote = bytes.indexOf(QUOTE); quote >= 0; quote = bytes.indexOf(QUOTE, quote + 1))
    if (backslashesBefore(bytes, quote) % 2 === 0) return quote;
  return -1;
}

function backslashesBefore(bytes: Uint8Array, end: number): number {
  let begin = end;
  while (begin > 0 && bytes[begin - 1] === BACKSLASH) begin--;
  return end - begin;
}

/** How many of these bytes end with a complete escape sequence. */
function completeEscapes(bytes: Uint8Array): number {
  const last = bytes.lastIndexOf(BACKSLASH);
  if (last < 0 || last < bytes.length - 6 || backslashesBefore(bytes, last) % 2 === 1) return bytes.length;
  return last + (bytes[last + 1] === LETTER_U ? 6 : 2) > bytes.length ? last : bytes.length;
}

export const badDocument = (where: string, cause?: unknown): LatchkeyError =>
  new LatchkeyError("bad_document", `The document cannot be read (${where}).`, { cause });
