import { whyFailed } from "@/components/why-failed";

export type Preview =
  | { kind: "text"; text: string; isCut: boolean }
  | { kind: "picture" }
  | { kind: "none" }
  | { kind: "error"; error: string };

/** The maximum of a text that is shown. */
const LONGEST_BYTES = 512 * 1024;

/** The preview of the file at `address`. Loads no more of it than is shown. */
export async function preview(address: string, signal: AbortSignal): Promise<Preview> {
  const ended = new AbortController();
  signal.addEventListener("abort", () => ended.abort());
  try {
    const answer = await fetch(address, { signal: ended.signal });
    if (!answer.ok) return { kind: "error", error: (await answer.json()).error };
    const type = answer.headers.get("Content-Type") ?? "";
    if (type.startsWith("image/")) return { kind: "picture" };
    if (!type.startsWith("text/")) return { kind: "none" };
    const { text, isCut } = await beginning(answer);
    return { kind: "text", text: isCut ? text : setOut(text), isCut };
  } catch (error) {
    if (signal.aborted) throw error;
    return { kind: "error", error: await whyFailed(error) };
  } finally {
    ended.abort();
  }
}

async function beginning(answer: Response): Promise<{ text: string; isCut: boolean }> {
  const decoder = new TextDecoder();
  const reader = answer.body?.getReader();
  let text = "";
  let bytes = 0;
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    const room = LONGEST_BYTES - bytes;
    text += decoder.decode(next.value.subarray(0, room), { stream: true });
    bytes += next.value.length;
    if (bytes > LONGEST_BYTES) return { text, isCut: true };
  }
  return { text: text + decoder.decode(), isCut: false };
}

/** Sets out JSON in lines. Other text stays as it is, and so does JSON that would then say something else. */
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
