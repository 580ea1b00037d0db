import { isUtf8 } from "node:buffer";
import { getMimeType, mimes } from "hono/utils/mime";
import { DATA_URL, isPlainText } from "../plain-text";

const TYPES = {
  ...mimes,
  ...{ flac: "audio/flac", m4a: "audio/mp4", mov: "video/quicktime", ogg: "audio/ogg", wav: "audio/wav" },
};
export const BINARY = "application/octet-stream";

/** The media type of files with such a name; undefined if it is not known. */
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
