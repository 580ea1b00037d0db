import { isUtf8 } from "node:buffer";
import { getMimeType } from "hono/utils/mime";
import { DATA_URL, isPlainText } from "../plain-text";

/** The data of a file in a document: text as it is, anything else as a data: URL. */
export function fileData(name: string, bytes: Buffer): { data: string; isText: boolean } {
  const text = isUtf8(bytes) ? bytes.toString("utf8") : undefined;
  if (text !== undefined && isPlainText(text, true)) return { data: text, isText: true };
  return { data: `${dataUrlBegin(name)}${bytes.toString("base64")}`, isText: false };
}

/** The prefix before the base64 of a file with this name. */
export function dataUrlBegin(name: string): string {
  const type = getMimeType(name)?.split(";")[0] ?? "application/octet-stream";
  return `${DATA_URL}${type};base64,`;
}
