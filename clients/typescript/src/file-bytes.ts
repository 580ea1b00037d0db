import { LatchkeyError } from "./errors";

/** The longest beginning of a data: URL, its comma included, in bytes of UTF-8. */
const MAX_HEADER = 256;
const HEADER = /^data:[^,]*;base64,$/;
const DIGITS = /^[A-Za-z0-9+/]*(={0,2})$/;
/** So many characters are buffered until it is certain what they are. */
const MAX_BUFFERED = 8 * 1024 * 1024;
/** A multiple of four. */
const DECODED_AT_ONCE = 65_536;

/**
 * The bytes of a file from the pieces of its stored data (the contract, section 3: content): those of a data: URL if
 * all of it is valid base64, or else the text as UTF-8, half of a surrogate pair as U+FFFD. Throws `not_base64` if that
 * turns out after 8 million characters: then only `data()` has the content.
 */
export async function* fileBytes(data: AsyncIterable<string>): AsyncGenerator<Uint8Array, void, undefined> {
  const encode = utf8Encoder();
  const url = new DataUrl();
  let buffered = "";
  let isText = false;
  let isBegun = false;
  for await (const piece of data) {
    if (isText) {
      yield encode(piece, false);
      continue;
    }
    buffered += piece;
    if (!url.add(piece)) {
      if (isBegun) throw notBase64();
      isText = true;
      yield encode(buffered, false);
    } else if (buffered.length > MAX_BUFFERED) {
      const begin = isBegun ? 0 : url.header.length;
      const end = begin + Math.floor((buffered.length - begin) / 4) * 4;
      yield* decoded(buffered.slice(begin, end));
      buffered = buffered.slice(end);
      isBegun = true;
    }
  }
  if (isText) yield encode("", true);
  else if (url.isComplete()) yield* decoded(buffered.slice(isBegun ? 0 : url.header.length));
  else if (isBegun) throw notBase64();
  else yield encode(buffered, true);
}

/** Text as UTF-8, half of a surrogate pair as U+FFFD. */
export async function* textBytes(data: AsyncIterable<string>): AsyncGenerator<Uint8Array, void, undefined> {
  const encode = utf8Encoder();
  for await (const piece of data) yield encode(piece, false);
  yield encode("", true);
}

const notBase64 = () =>
  new LatchkeyError("not_base64", "An entry's data begins like a data: URL but is not one: its text is the content.");

/** Whether text is a data: URL in valid base64 (RFC 4648, section 4), as its pieces arrive. */
class DataUrl {
  header = "";
  private isInHeader = true;
  private digits = 0;
  private padding = 0;

  /** Reads the next piece. False if it is none, whatever follows. */
  add(piece: string): boolean {
    if (!this.isInHeader) return this.addDigits(piece);
    const comma = piece.indexOf(",");
    this.header += comma < 0 ? piece : piece.slice(0, comma + 1);
    this.isInHeader = comma < 0;
    if (!this.header.startsWith("data:".slice(0, this.header.length)) || byteLength(this.header) > MAX_HEADER)
      return false;
    return this.isInHeader || (HEADER.test(this.header) && this.addDigits(piece.slice(comma + 1)));
  }

  /** Whether all of it is one. */
  isComplete(): boolean {
    return !this.isInHeader && (this.digits + this.padding) % 4 === 0;
  }

  private addDigits(piece: string): boolean {
    const match = DIGITS.exec(piece);
    if (!match || (this.padding > 0 && !/^=*$/.test(piece))) return false;
    const padding = match[1]?.length ?? 0;
    this.digits += piece.length - padding;
    this.padding += padding;
    return this.padding <= 2;
  }
}

const byteLength = (text: string) => new TextEncoder().encode(text.slice(0, MAX_HEADER + 1)).length;

function* decoded(digits: string): Generator<Uint8Array> {
  for (let from = 0; from < digits.length; from += DECODED_AT_ONCE) {
    const text = atob(digits.slice(from, from + DECODED_AT_ONCE));
    const bytes = new Uint8Array(text.length);
    for (let index = 0; index < bytes.length; index++) bytes[index] = text.charCodeAt(index);
    yield bytes;
  }
}

/** Both halves of a surrogate pair are encoded together, also from two pieces. */
function utf8Encoder(): (piece: string, isLast: boolean) => Uint8Array {
  const encoder = new TextEncoder();
  let half = "";
  return (piece, isLast) => {
    const text = half + piece;
    half = !isLast && /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : "";
    return encoder.encode(half ? text.slice(0, -1) : text);
  };
}
