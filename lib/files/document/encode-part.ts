import { isUtf8 } from "node:buffer";
import { isPlainText } from "../plain-text";

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
  const whole = bytes.length - unfinished(bytes);
  const part = bytes.subarray(0, whole);
  if (!isUtf8(part)) return undefined;
  const text = part.toString("utf8");
  if (!isPlainText(text, isBegin)) return undefined;
  return { text: Buffer.from(JSON.stringify(text).slice(1, -1)), length: text.length, carry: bytes.subarray(whole) };
}

/** Encodes a part of a file as part of a data: URL. */
export function encodeBytes(bytes: Buffer): EncodedPart {
  const whole = bytes.length - (bytes.length % GROUP);
  const text = Buffer.from(bytes.toString("base64", 0, whole));
  return { text, length: text.length, carry: bytes.subarray(whole) };
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
