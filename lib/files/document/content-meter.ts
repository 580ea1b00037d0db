import { JsonUnescape } from "./json-unescape";

const DATA_URL = /^data:([^,]*);base64,$/;
/** No data: URL of ours or of any known client has a longer header. */
const MOST_HEADER_BYTES = 256;
const COMMA = 0x2c;
const PADDING = 0x3d;

/** 1 for the characters of base64 (RFC 4648, section 4), except padding. */
const BASE64 = Uint8Array.from({ length: 256 }, (_, byte) => (/[A-Za-z0-9+/]/.test(String.fromCharCode(byte)) ? 1 : 0));

/** A file's content: the bytes of its data: URL if that is valid base64; otherwise its data as UTF-8. */
export interface Content {
  isBase64: boolean;
  bytes: number;
}

/** Measures the content of a file as the JSON text of its data streams by. */
export class ContentMeter {
  private readonly unescape = new JsonUnescape((chunk, from, to) => this.take(chunk, from, to));
  private total = 0;
  private header = "";
  private isInHeader = true;
  private isBase64 = false;
  private digits = 0;
  private padding = 0;

  add(chunk: Uint8Array, from: number, to: number): void {
    this.unescape.add(chunk, from, to);
  }

  /** Returns the string's content; the next one may follow. */
  end(): Content {
    this.unescape.end();
    const whole = this.isBase64 && this.padding <= 2 && (this.digits + this.padding) % 4 === 0;
    const content = { isBase64: whole, bytes: whole ? Math.floor((this.digits * 3) / 4) : this.total };
    this.total = 0;
    this.header = "";
    this.isInHeader = true;
    this.isBase64 = false;
    this.digits = 0;
    this.padding = 0;
    return content;
  }

  private take(chunk: Uint8Array, from: number, to: number): void {
    this.total += to - from;
    let i = from;
    while (this.isInHeader && i < to) this.headerByte(chunk[i++] ?? 0);
    if (this.isBase64) this.digitsIn(chunk, i, to);
  }

  private headerByte(byte: number): void {
    this.header += String.fromCharCode(byte);
    this.isInHeader =
      byte !== COMMA && this.header.length < MOST_HEADER_BYTES && "data:".startsWith(this.header.slice(0, 5));
    this.isBase64 = byte === COMMA && DATA_URL.test(this.header);
  }

  private digitsIn(chunk: Uint8Array, from: number, to: number): void {
    let i = from;
    if (this.padding === 0) while (i < to && BASE64[chunk[i] ?? 0] === 1) i++;
    this.digits += i - from;
    for (; i < to && this.isBase64; i++) {
      this.isBase64 = chunk[i] === PADDING;
      this.padding++;
    }
  }
}
