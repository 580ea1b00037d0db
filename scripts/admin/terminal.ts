import { createInterface } from "node:readline/promises";

/** Printed if the person at the terminal does not continue. */
export const UNCHANGED = "Nothing was changed.";

/** Whether a person can be asked. */
export function isAtTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** Asks the person at the terminal behind `input`. Returns false for anything but yes. */
export async function agrees(
  question: string,
  input: NodeJS.ReadableStream = process.stdin,
  output: NodeJS.WritableStream = process.stderr,
): Promise<boolean> {
  const terminal = createInterface({ input, output });
  terminal.once("SIGINT", () => terminal.close());
  terminal.setPrompt(`${question} [y/N] `);
  terminal.prompt();
  // Without `question`, which never returns if input is cancelled.
  const { done, value = "" } = await terminal[Symbol.asyncIterator]().next();
  if (done) output.write("\n");
  terminal.close();
  return /^y(?:es)?$/i.test(value.trim());
}
