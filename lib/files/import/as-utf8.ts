import { invalidDocument } from "../errors";

/** Bytes of the longest byte order mark, that of UTF-8. */
const MARK_BYTES = 3;

/**
 * The document's JSON as UTF-8 without a byte order mark, which editors and spreadsheets add. UTF-16, as PowerShell
 * writes it, is decoded: JSON begins with a character of ASCII, so one of its first two bytes is a zero. Throws 400
 * `invalid_document` for UTF-16 that is not valid, or what `source` throws.
 */
export async function* asUtf8(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let begin: Uint8Array | undefined = new Uint8Array();
  let decoder: TextDecoder | undefined;
  const decoded = (bytes?: Uint8Array) => {
    try {
      return Buffer.from(decoder?.decode(bytes, { stream: bytes !== undefined }) ?? "");
    } catch {
      throw invalidDocument("This is UTF-16 text with invalid characters. Save it again with the encoding UTF-8.");
    }
  };
  for await (const chunk of source) {
    let bytes = chunk;
    if (begin) {
      bytes = Buffer.concat([begin, chunk]);
      begin = bytes.length < MARK_BYTES ? bytes : undefined;
      if (begin) continue;
      const encoding = encodingOf(bytes);
      if (encoding === "utf-8") bytes = withoutMark(bytes);
      // It removes the mark by itself.
      else decoder = new TextDecoder(encoding, { fatal: true });
    }
    yield decoder ? decoded(bytes) : bytes;
  }
  yield begin ?? decoded();
}

function encodingOf([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if ((first === 0xff && second === 0xfe) || second === 0) return "utf-16le";
  return (first === 0xfe && second === 0xff) || first === 0 ? "utf-16be" : "utf-8";
}

function withoutMark(bytes: Uint8Array): Uint8Array {
  const [first, second, third] = bytes;
  return first === 0xef && second === 0xbb && third === 0xbf ? bytes.subarray(MARK_BYTES) : bytes;
}
