import { isUtf8 } from "node:buffer";
import { getMimeType } from "hono/utils/mime";

/** Control characters, but for tabs and ends of lines: text for people has none. */
const CONTROLS = /[\0-\x08\x0b\x0e-\x1f\x7f]/;
const DATA_URL = "data:";

/** What a file's bytes become in a document: text as it is, anything else a data: URL. */
export function fileData(name: string, bytes: Buffer): string {
  const text = isUtf8(bytes) ? bytes.toString("utf8") : undefined;
  // Text that looks like a data: URL would be taken for one.
  if (text !== undefined && !CONTROLS.test(text) && !text.startsWith(DATA_URL)) return text;
  return `${dataUrlBegin(name)}${bytes.toString("base64")}`;
}

/** What stands before the base64 of a file with this name. */
export function dataUrlBegin(name: string): string {
  const type = getMimeType(name)?.split(";")[0] ?? "application/octet-stream";
  return `${DATA_URL}${type};base64,`;
}

/** Whether text that begins so would be taken for a data: URL, or be none for people. */
export function isPlainText(text: string, isBegin: boolean): boolean {
  return !CONTROLS.test(text) && !(isBegin && text.startsWith(DATA_URL));
}
