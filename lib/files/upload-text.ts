import { isUtf8 } from "node:buffer";
import { isPlainText } from "./file-data";

/** Bytes in a group of base64. */
const GROUP = 3;

/** What a part of a file becomes: JSON text of a string's inside, and the bytes that wait for the next part. */
export interface EncodedPart {
  text: Buffer;
  /** UTF-16 length of what it stands for. */
  length: number;
  carry: Buffer;
}

/** A part of a file whose data becomes text; undefined where it is none. `isBegin`: nothing comes before it. */
export function encodeText(bytes: Buffer, isBegin: boolean): EncodedPart | undefined {
  const whole = bytes.length - unfinished(bytes);
  const part = bytes.subarray(0, whole);
  if (!isUtf8(part)) return undefined;
  const text = part.toString("utf8");
  if (!isPlainText(text, isBegin)) return undefined;
  return { text: Buffer.from(JSON.stringify(text).slice(1, -1)), length: text.length, carry: bytes.subarray(whole) };
}

/** A part of a file whose data becomes a data: URL. */
export function encodeBytes(bytes: Buffer): EncodedPart {
  const whole = bytes.length - (bytes.length % GROUP);
  const text = Buffer.from(bytes.toString("base64", 0, whole));
  return { text, length: text.length, carry: bytes.subarray(whole) };
}

/** How many bytes at the end are the beginning of a character that goes on. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}
