import { isUtf8 } from "node:buffer";
import { getMimeType, mimes } from "hono/utils/mime";
import { DATA_URL, isPlainText } from "../schema";
import { DATA, EDITED } from "./entry";
import type { Kind } from "./json-scanner";
import { COMMA, JsonUnescape } from "./json-string";
import { ChildList, type ListChange } from "./splices";

/** Below this length, a loop is faster than creating the view that `set` needs. */
const SHORT = 64;

/** Copies the bytes `from` to `to` of `source` to `at` in `target`. */
export function copyBytes(source: Uint8Array, from: number, to: number, target: Uint8Array, at: number): void {
  if (to - from > SHORT) target.set(source.subarray(from, to), at);
  else for (let i = from; i < to; i++) target[at + i - from] = source[i] ?? 0;
}

const TYPES = {
  ...mimes,
  ...{ flac: "audio/flac", m4a: "audio/mp4", mov: "video/quicktime", ogg: "audio/ogg", wav: "audio/wav" },
};
export const BINARY = "application/octet-stream";

/** The media type of files with such a name; undefined if none is registered. */
export const mediaTypeOf = (name: string): string | undefined => getMimeType(name, TYPES);

/** The data of a file in a document: text as it is, anything else as a data: URL. */
export function fileData(name: string, bytes: Buffer): { data: string; isText: boolean } {
  const text = isUtf8(bytes) ? bytes.toString("utf8") : undefined;
  if (text !== undefined && isPlainText(text, true)) return { data: text, isText: true };
  return { data: `${dataUrlBegin(name)}${bytes.toString("base64")}`, isText: false };
}

/** The prefix before the base64 of a file with this name. */
export function dataUrlBegin(name: string): string {
  const type = mediaTypeOf(name)?.split(";")[0] ?? BINARY;
  return `${DATA_URL}${type};base64,`;
}

/** Bytes in a group of base64. */
const GROUP = 3;

/** An encoded part of a file: JSON text from the inside of a string, and the bytes carried over to the next part. */
export interface EncodedPart {
  text: Buffer;
  /** UTF-16 length of the decoded text. */
  length: number;
  carry: Buffer;
}

/** Encodes a part of a file as text; undefined if it is not text. `isBegin`: it is the first part. */
export function encodeText(bytes: Buffer, isBegin: boolean): EncodedPart | undefined {
  const complete = bytes.length - unfinished(bytes);
  const part = bytes.subarray(0, complete);
  if (!isUtf8(part)) return undefined;
  const text = part.toString("utf8");
  if (!isPlainText(text, isBegin)) return undefined;
  return { text: Buffer.from(JSON.stringify(text).slice(1, -1)), length: text.length, carry: bytes.subarray(complete) };
}

/** Encodes a part of a file as part of a data: URL. */
export function encodeBytes(bytes: Buffer): EncodedPart {
  const complete = bytes.length - (bytes.length % GROUP);
  const text = Buffer.from(bytes.toString("base64", 0, complete));
  return { text, length: text.length, carry: bytes.subarray(complete) };
}

/** How many bytes at the end begin an incomplete character. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}

const DATA_URL_HEAD = /^data:([^,]*);base64,$/;
/** No data: URL of ours or of any client that we have seen has a longer header. */
const MAX_HEADER_BYTES = 256;
const PADDING = 0x3d;

/** 1 for the characters of base64 (RFC 4648, section 4), except padding. */
const BASE64 = Uint8Array.from({ length: 256 }, (_, byte) => (/[A-Za-z0-9+/]/.test(String.fromCharCode(byte)) ? 1 : 0));

/** A file's content: the bytes of its data: URL if that is valid base64; otherwise its data as UTF-8. */
interface Content {
  isBase64: boolean;
  bytes: number;
}

/** Measures the content of a file as the JSON text of its data streams by. */
class ContentMeter {
  private readonly unescape = new JsonUnescape((chunk, from, to) => this.measure(chunk, from, to));
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
    const isValid = this.isBase64 && this.padding <= 2 && (this.digits + this.padding) % 4 === 0;
    const content = { isBase64: isValid, bytes: isValid ? Math.floor((this.digits * 3) / 4) : this.total };
    this.total = 0;
    this.header = "";
    this.isInHeader = true;
    this.isBase64 = false;
    this.digits = 0;
    this.padding = 0;
    return content;
  }

  private measure(chunk: Uint8Array, from: number, to: number): void {
    this.total += to - from;
    let i = from;
    while (this.isInHeader && i < to) this.headerByte(chunk[i++] ?? 0);
    if (this.isBase64) this.digitsIn(chunk, i, to);
  }

  private headerByte(byte: number): void {
    this.header += String.fromCharCode(byte);
    this.isInHeader =
      byte !== COMMA && this.header.length < MAX_HEADER_BYTES && "data:".startsWith(this.header.slice(0, 5));
    this.isBase64 = byte === COMMA && DATA_URL_HEAD.test(this.header);
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

/** More bytes than any number needs. */
const MAX_EDITED_BYTES = 40;

/** Collects the index fields of an entry, other than its parts, as the JSON text of its values streams by. */
export class EntryMeter {
  size = 0;
  isBase64 = false;
  edited = "";
  /** The listed children, if the entry is a folder. */
  children: ChildList | undefined;
  private readonly content = new ContentMeter();
  /** For data that is not a string: its JSON text is the content. */
  private isText = false;
  private textBytes = 0;

  begin(position: number, kind: Kind, isFolder: boolean, change?: ListChange): void {
    if (position === 0) this.edited = "";
    if (position !== DATA) return;
    this.children = isFolder ? new ChildList(kind === "string", change) : undefined;
    this.isText = kind !== "string";
    this.textBytes = 0;
  }

  /** `offset`: position of the chunk's first byte in the text. */
  text(position: number, chunk: Uint8Array, from: number, to: number, offset = 0): void {
    if (position === DATA && this.children) this.children.add(chunk, from, to, offset);
    else if (position === DATA && this.isText) this.textBytes += to - from;
    else if (position === DATA) this.content.add(chunk, from, to);
    else if (position === EDITED) this.addEdited(chunk, from, to);
  }

  end(position: number): void {
    if (position !== DATA) return;
    const bytes = this.children?.count ?? this.textBytes;
    const content = this.children || this.isText ? { bytes, isBase64: false } : this.content.end();
    this.size = content.bytes;
    this.isBase64 = content.isBase64;
  }

  private addEdited(chunk: Uint8Array, from: number, to: number): void {
    const space = MAX_EDITED_BYTES - this.edited.length;
    for (let i = from; i < Math.min(to, from + space); i++) this.edited += String.fromCharCode(chunk[i] ?? 0);
  }
}
