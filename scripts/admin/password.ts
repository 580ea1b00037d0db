import { fstatSync } from "node:fs";
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

function isPiped(): boolean {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isFile() || input.isSocket();
  } catch {
    return false; // Closed: <&-
  }
}
