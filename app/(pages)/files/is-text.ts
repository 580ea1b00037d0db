/** Control characters that no text has: all but tab, line feed, form feed and carriage return. */
const CONTROL = /[\0-\x08\x0b\x0e-\x1f\x7f]/;

/**
 * Whether a file can be kept as text, character for character: UTF-8 from its first byte to its last. Reads it a little at a
 * time, and stops where the answer is no. A text that begins like a data: URL would be taken for one.
 */
export async function isText(file: Blob): Promise<boolean> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const reader = file.stream().getReader();
  try {
    let isFirst = true;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const text = decoder.decode(next.value, { stream: true });
      if (CONTROL.test(text) || (isFirst && text.startsWith("data:"))) return false;
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
