/**
 * What a terminal would obey or a reader would take for other text: controls of both ranges (ESC, and CSI as U+009B),
 * line and paragraph separators, and marks of direction (Unicode Technical Report 36, section 2.5).
 */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f]/gu;
const UNSAFE_IN_LINES = new RegExp(`\\r?\\n|\\t|${UNSAFE.source}`, "gu");

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** A text of somebody else's on one line, harmless in a terminal: what is unsafe is written as JSON writes it. */
export function plain(text: string): string {
  return text.replace(UNSAFE, escaped);
}

/** The same for lines, tabs and all. JSON stays JSON, of the same value. */
export function plainLines(text: string): string {
  // Nearly every line, and found in half the time.
  if (!/[^\n -~]/.test(text)) return text;
  return text.replace(UNSAFE_IN_LINES, (one) => (/[\n\t]$/.test(one) ? one : escaped(one)));
}

/** A value as one line of JSON, harmless in a terminal. */
export function jsonLine(value: unknown): string {
  return plainLines(JSON.stringify(value));
}

/** What is written to this stream: as it is for a program, harmless if a terminal shows it. */
export async function* plainAtTerminal(
  chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
  { isTTY }: { isTTY?: boolean },
): AsyncGenerator<Uint8Array | string> {
  const decoder = new TextDecoder();
  for await (const chunk of chunks)
    if (!isTTY) yield chunk;
    else yield plainLines(typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true }));
}
