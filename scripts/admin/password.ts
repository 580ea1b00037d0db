import { fstatSync } from "node:fs";
import { text } from "node:stream/consumers";

/** The password that was piped or redirected into this process, without the line's end; null where there is none. Never asks for one. */
export async function pipedPassword(): Promise<string | null> {
  if (!isPiped()) return null;
  const hint = setTimeout(() => console.error("Reading the password from standard input (for none: </dev/null)."), 1_000);
  const password = (await text(process.stdin)).replace(/\r?\n$/, "");
  clearTimeout(hint);
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
