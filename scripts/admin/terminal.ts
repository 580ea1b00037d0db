import { createInterface } from "node:readline/promises";
import { jsonLine, plain, plainLines } from "@/lib/platform/safe-text";

/** Printed if the person at the terminal does not continue. */
export const UNCHANGED = "Nothing was changed.";

/** Prints a result for people. All that commands print goes through this file: others choose names and notes. */
export function print(text: string): void {
  console.log(plainLines(text));
}

/** Prints a result for programs, as one line of JSON. */
export function printJson(value: unknown): void {
  console.log(jsonLine(value));
}

/** Prints what is no result, on standard error. */
export function printMessage(text: string): void {
  console.error(plainLines(text));
}

/** Whether a person can be asked. Nobody is, elsewhere: scripts must go on working. */
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
  terminal.setPrompt(`${plain(question)} [y/N] `);
  terminal.prompt();
  // Without `question`, which never returns if input is cancelled.
  const { done, value = "" } = await terminal[Symbol.asyncIterator]().next();
  if (done) output.write("\n");
  terminal.close();
  return /^y(?:es)?$/i.test(value.trim());
}

/** Milliseconds before the first line is shown, and between two of them. */
const SOON = 500;
const APART = 100;

/**
 * Runs long work, and shows its progress on standard error. Shows nothing if that is not a terminal or the work is
 * short. The work reports the completed share, from 0 to 1.
 */
export async function withProgress<Result>(
  name: string,
  work: (onProgress: (part: number) => void) => Promise<Result>,
): Promise<Result> {
  let [next, isShown] = [performance.now() + SOON, false];
  try {
    return await work((part) => {
      if (!process.stderr.isTTY || performance.now() < next) return;
      next = performance.now() + APART;
      isShown = true;
      process.stderr.write(`\r${name}: ${Math.floor(Math.min(part, 1) * 100)} %`);
    });
  } finally {
    if (isShown) process.stderr.write("\r\x1b[K");
  }
}

/** Rows for a person to read: columns as wide as their longest cell, two spaces apart, numbers to the right. */
export function table(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cells = rows.map((row) =>
    row.map((cell) => (typeof cell === "number" ? cell.toLocaleString("en") : plain(cell))),
  );
  const widths = heads.map((head, column) => Math.max(head.length, ...cells.map((row) => row[column]?.length ?? 0)));
  const isNumber = (column: number) => rows.length > 0 && rows.every((row) => typeof row[column] === "number");
  return [heads, ...cells]
    .map((row) =>
      row
        .map((cell, column) =>
          isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
