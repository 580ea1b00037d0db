import { fstatSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { UsageError } from "./usage";

/** The password that was piped or redirected into this process, without the line's end; null where there is none. Never asks for one. Throws a UsageError for several lines, or a line of blanks. */
export async function pipedPassword(): Promise<string | null> {
  if (!isPiped()) return null;
  const hint = setTimeout(() => console.error("Reading the password from standard input (for none: </dev/null)."), 1_000);
  const password = (await text(process.stdin)).replace(/\r?\n$/, "");
  clearTimeout(hint);
  if (/[\r\n]/.test(password)) throw new UsageError("A password is one line: several came in on standard input.");
  if (password !== "" && password.trim() === "") throw new UsageError("A password of blanks alone is nobody's intention.");
  return password === "" ? null : password;
}

/**
 * The password that somebody types at the terminal behind `input`, twice and unseen. Throws an Error where the two differ, or
 * typing was broken off.
 */
export async function typedPassword(username: string, input: NodeJS.ReadableStream = process.stdin, output: NodeJS.WritableStream = process.stderr) {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input, output: unseen, terminal: true });
  terminal.once("SIGINT", () => terminal.close());
  // Not by `question`, which loses a line that came before it was asked.
  const lines = terminal[Symbol.asyncIterator]();
  const ask = async (question: string) => {
    output.write(question);
    const { done, value } = await lines.next();
    if (done) throw new Error("Nothing was changed.");
    return value;
  };
  try {
    const password = await ask(`New password for ${username}: `);
    const again = await ask("\nThe same again: ");
    if (password !== again) throw new Error("The two passwords differ, so nothing was changed. Run the command again.");
    return password;
  } finally {
    output.write("\n");
    terminal.close();
  }
}

function isPiped(): boolean {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isFile() || input.isSocket();
  } catch {
    return false; // Closed: <&-
  }
}
