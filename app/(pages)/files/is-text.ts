import { isPlainText } from "@/lib/files/schema";
import { Unreadable } from "./unreadable";

/**
 * Whether a file can be stored as text, character for character: UTF-8 from first to last byte. Reads it in small
 * parts, and stops at the first invalid one. Throws an Unreadable.
 */
export async function isText(file: Blob): Promise<boolean> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const reader = file.stream().getReader();
  const read = () =>
    reader.read().catch(() => {
      throw new Unreadable();
    });
  try {
    let isFirst = true;
    for (let next = await read(); !next.done; next = await read()) {
      const text = decoder.decode(next.value, { stream: true });
      if (!isPlainText(text, isFirst)) return false;
      isFirst = false;
    }
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
