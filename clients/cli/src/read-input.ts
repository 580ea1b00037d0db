import { addAbortSignal } from "node:stream";
import { buffer } from "node:stream/consumers";
import { EXIT, Failure } from "./failure";
import { interrupted } from "./interrupted";

/**
 * What was typed, or for - what arrives on standard input, without the end of its last line: UTF-8, or UTF-16 with a
 * byte order mark. Throws a Failure for anything else, which would not come back as it was.
 */
export async function readInput(typed: string): Promise<string> {
  if (typed !== "-") return typed;
  const bytes = await buffer(addAbortSignal(interrupted, process.stdin));
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes).replace(/\r?\n$/, "");
  } catch {
    throw new Failure(EXIT.usage, "not_text", "Standard input is not UTF-8. Save it again with the encoding UTF-8.");
  }
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}
