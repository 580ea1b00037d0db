import { asJson, refusalIn, whyFailed } from "@/components/failures";
import { type Beginning, detectEncoding, type Encoding } from "../file-text";

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
