import { createWriteStream, fstatSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { invalidParameter } from "@/lib/errors";
import { UNCHANGED } from "./terminal";

/** The password typed at a terminal, or else the piped one; null if there is none. */
export function givenPassword(question: string): Promise<string | null> {
  if (!process.stdin.isTTY) return pipedPassword();
  // Somebody types, also if errors go to a file.
  const output = process.stderr.isTTY ? process.stderr : createWriteStream("/dev/tty");
  return typedPassword(question, process.stdin, output);
}

/**
 * The password that was piped or redirected into this process, without the line ending; null if there is none. Never
 * prompts. Throws 400 `invalid_parameter` for several lines, or a line of blanks.
 */
async function pipedPassword(): Promise<string | null> {
  if (!isPiped()) return null;
  const hint = setTimeout(
    () => console.error("Reading the password from standard input (for no password, use </dev/null)."),
    1_000,
  );
  const password = (await text(process.stdin)).replace(/\r?\n$/, "");
  clearTimeout(hint);
  if (/[\r\n]/.test(password)) throw invalidParameter("The password must be one line, but standard input has several.");
  if (password !== "" && password.trim() === "")
    throw invalidParameter("The password must not consist only of spaces.");
  return password === "" ? null : password;
}

/**
 * The password typed twice, without echo, at the terminal behind `input`; null for an empty one. Throws an Error if the
 * two differ, or if input was cancelled.
 */
export async function typedPassword(
  question: string,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<string | null> {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input, output: unseen, terminal: true });
  terminal.once("SIGINT", () => terminal.close());
  // Without `question`, which loses a line typed before the prompt.
  const lines = terminal[Symbol.asyncIterator]();
  const ask = async (what: string) => {
    output.write(what);
    const { done, value } = await lines.next();
    if (done) throw new Error(UNCHANGED);
    return value;
  };
  try {
    const password = await ask(`${question}: `);
    if (password === "") return null;
    const again = await ask("\nRepeat it: ");
    if (password !== again) throw new Error("The passwords do not match. Nothing was changed. Run the command again.");
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
