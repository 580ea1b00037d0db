// A prompt of our own: @inquirer/password needs Node.js 22, and two more packages.
import { createWriteStream, fstatSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { invalidParameter } from "@/lib/platform/errors";
import { plainLines } from "@/lib/platform/safe-text";
import { printMessage, UNCHANGED } from "./terminal";

/** What the prompt requests. A new one is entered twice. */
interface PasswordPrompt {
  question: string;
  word: "password" | "passphrase";
  isNew: boolean;
}

/** The password typed at a terminal, or else the piped one; null if there is none. */
export function readPassword(question: string): Promise<string | null> {
  return readInput({ question, word: "password", isNew: true });
}

/**
 * The passphrase in this file; or else the one typed at a terminal, a new one twice; or else the piped one. Throws an
 * Error if there is none.
 */
export async function requirePassphrase(question: string, which: "new" | "existing", file?: string): Promise<string> {
  const prompt: PasswordPrompt = { question, word: "passphrase", isNew: which === "new" };
  const passphrase =
    file === undefined ? await readInput(prompt) : oneLine(contentOf(file), prompt, `the file ${file}`);
  if (passphrase !== null) return passphrase;
  throw invalidParameter(
    "There is no passphrase. Type it at a terminal, send it through standard input, or name a file with " +
      "--passphrase-file.",
  );
}

function readInput(prompt: PasswordPrompt): Promise<string | null> {
  if (!process.stdin.isTTY) return pipedPassword(prompt);
  // Somebody types, also if errors go to a file.
  const output = process.stderr.isTTY ? process.stderr : createWriteStream("/dev/tty");
  return promptPassword(prompt, process.stdin, output);
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw invalidParameter(`The file ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
}

/**
 * The password that was piped or redirected into this process, without the line ending; null if there is none. Never
 * prompts. Throws 400 `invalid_parameter` for several lines, or a line of blanks.
 */
async function pipedPassword(prompt: PasswordPrompt): Promise<string | null> {
  if (!isPiped()) return null;
  const { word } = prompt;
  const forNone = word === "password" ? " (for no password, use </dev/null)" : "";
  const hint = setTimeout(() => printMessage(`Reading the ${word} from standard input${forNone}.`), 1_000);
  const content = await text(process.stdin);
  clearTimeout(hint);
  return oneLine(content, prompt, "standard input");
}

/** The only line of a text; null for an empty one. */
function oneLine(content: string, { word, isNew }: PasswordPrompt, source: string): string | null {
  // A known one may have been made of such a text.
  if (isNew && /^\ufeff|[\0\ufffd]/.test(content))
    throw invalidParameter(
      `The ${word} in ${source} is not plain UTF-8. Save it again with the encoding UTF-8, without a byte order mark.`,
    );
  const line = content.replace(/\r?\n$/, "");
  if (/[\r\n]/.test(line)) throw invalidParameter(`The ${word} must be one line, but ${source} has several.`);
  if (line !== "" && line.trim() === "") throw invalidParameter(`The ${word} must not consist only of spaces.`);
  return line === "" ? null : line;
}

/**
 * The password typed without echo, a new one twice, at the terminal behind `input`; null for an empty one. Throws an
 * Error if the two differ, or if input was cancelled.
 */
export async function promptPassword(
  { question, word, isNew }: PasswordPrompt,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<string | null> {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input, output: unseen, terminal: true });
  terminal.once("SIGINT", () => terminal.close());
  // Without `question`, which loses a line typed before the prompt.
  const lines = terminal[Symbol.asyncIterator]();
  const readLine = async (what: string) => {
    output.write(plainLines(what));
    const { done, value } = await lines.next();
    if (done) throw new Error(UNCHANGED);
    return value;
  };
  try {
    const password = await readLine(`${question}: `);
    if (password === "") return null;
    if (!isNew) return password;
    const again = await readLine("\nRepeat it: ");
    if (password !== again) throw new Error(`The ${word}s do not match. Nothing was changed. Run the command again.`);
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
