import { asJson, refusalIn, whyFailed } from "@/components/feedback/why-failed";
import { type Beginning, detectEncoding, type Encoding } from "./text-encoding";

export type Preview =
  | ({ kind: "text"; encoding: Encoding; isNotAscii: boolean } & Beginning)
  | { kind: "picture" | "audio" | "video" }
  | { kind: "none" }
  | { kind: "error"; error: string };

/** The maximum of a text that is shown. */
const MAX_BYTES = 512 * 1024;

/** The preview of the file at `address`. Loads no more of it than is shown. */
export async function preview(address: string, signal: AbortSignal): Promise<Preview> {
  const ended = new AbortController();
  signal.addEventListener("abort", () => ended.abort());
  try {
    const response = await fetch(address, { signal: ended.signal });
    // Every stored file has this header.
    if (!response.ok || !response.headers.has("Content-Disposition"))
      return { kind: "error", error: refusalIn(response.status, asJson(await response.text())) };
    const type = response.headers.get("Content-Type") ?? "";
    if (type.startsWith("image/")) return { kind: "picture" };
    if (type.startsWith("audio/")) return { kind: "audio" };
    if (type.startsWith("video/")) return { kind: "video" };
    const begin = await beginning(response);
    const encoding = detectEncoding(begin) ?? (type.startsWith("text/") ? "utf-8" : undefined);
    const isNotAscii = begin.bytes.some((byte) => byte === 0 || byte >= 0x80);
    return encoding ? { kind: "text", encoding, isNotAscii, ...begin } : { kind: "none" };
  } catch (error) {
    if (signal.aborted) throw error;
    return { kind: "error", error: await whyFailed(error) };
  } finally {
    ended.abort();
  }
}

async function beginning(response: Response): Promise<Beginning> {
  const reader = response.body?.getReader();
  const bytes = new Uint8Array(MAX_BYTES);
  let length = 0;
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    const isCut = length + next.value.length > MAX_BYTES;
    bytes.set(next.value.subarray(0, MAX_BYTES - length), length);
    if (isCut) return { bytes, isCut };
    length += next.value.length;
  }
  return { bytes: bytes.subarray(0, length), isCut: false };
}

/** The text in this encoding, without a byte order mark, and with U+FFFD for what is no character. JSON is set out. */
export function textIn({ bytes, isCut }: Beginning, encoding: Encoding): string {
  const text = new TextDecoder(encoding).decode(bytes, { stream: isCut });
  return isCut ? text : setOut(text);
}

/** Sets out JSON in lines. Other text stays as it is, and so does JSON that would then have another meaning. */
export function setOut(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    const withoutGaps = text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
    return JSON.stringify(value) === withoutGaps ? JSON.stringify(value, null, 2) : text;
  } catch {
    return text;
  }
}
