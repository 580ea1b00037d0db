import { createInterface } from "node:readline/promises";
import { EXIT, Failure } from "./failure";

/** Asks before something is destroyed. Throws a Failure if the answer is no, or nobody is there to give one. */
export async function confirm(question: string, isSaid: boolean | undefined, signal?: AbortSignal): Promise<void> {
  if (isSaid) return;
  if (!process.stdin.isTTY)
    throw new Failure(EXIT.usage, "confirmation_needed", `${question} Nobody can answer here: add --yes.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} [y/N] `, { signal });
    if (!/^y(?:es)?$/i.test(answer.trim())) throw new Failure(EXIT.failed, "not_confirmed", "Nothing was changed.");
  } finally {
    terminal.close();
  }
}
