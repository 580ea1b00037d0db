import { createInterface } from "node:readline/promises";
import { addAbortSignal } from "node:stream";
import { buffer } from "node:stream/consumers";
import { EXIT, Failure } from "./failure";

const leaving = new AbortController();

/** Aborted by Ctrl-C, when the system ends this program, or when nothing more can be printed. */
export const interrupted: AbortSignal = leaving.signal;

/** Ends what is under way. */
export const leave = (reason: Failure): void => leaving.abort(reason);

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => leave(new Failure(EXIT.interrupted, "interrupted", "Stopped.")));

/** Prompts before something is destroyed. Throws a Failure if the answer is no, or nobody is there to give one. */
export async function confirm(question: string, isConfirmed: boolean | undefined, signal?: AbortSignal): Promise<void> {
  if (isConfirmed) return;
  if (!process.stdin.isTTY)
    throw new Failure(EXIT.usage, "confirmation_needed", `${question} There is no terminal to confirm at: add --yes.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} [y/N] `, { signal });
    if (!/^y(?:es)?$/i.test(answer.trim())) throw new Failure(EXIT.failed, "not_confirmed", "Nothing was changed.");
  } finally {
    terminal.close();
  }
}

/**
 * The input itself, or for - what arrives on standard input, without the end of its last line: UTF-8, or UTF-16 with a
 * byte order mark. Throws a Failure for anything else, which would not come back as it was.
 */
export async function readInput(input: string): Promise<string> {
  if (input !== "-") return input;
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
