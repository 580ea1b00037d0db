import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openSecretMode, secretSource } from "@/lib/platform/crypto/secret-source";
import { checkConfiguration } from "@/lib/platform/crypto/secrets";
import { canClose, DATABASE_FILE, openMode } from "@/lib/platform/data-folder";
import { env, environment, formerSettings, namesOfVariables } from "@/lib/platform/env";
import type { Fault } from "./finding";
import { unsafeIn } from "./unsafe-settings";

/** A name of one of our variables with more slips than this is another program's. */
const MAX_SLIPS = 2;
/** Of a shorter name, two slips make another word. */
const MIN = 6;

/** What is wrong with the settings: the service would not start with them, or they do not do what they seem to. */
export async function* settings(set = namesOfVariables()): AsyncGenerator<Fault> {
  try {
    checkConfiguration();
  } catch (error) {
    yield { problem: (error as Error).message, advice: "The service does not start until then." };
  }
  for (const { problem, advice, isFault } of unsafeIn(env)) if (isFault) yield { problem, advice };
  for (const name of set.sort()) {
    const meant = mistyped(name);
    if (meant)
      yield {
        problem: `The variable ${name} is set, but nothing reads it.`,
        advice: `If you meant ${meant}, rename it.`,
      };
  }
  for (const { problem, advice } of formerSettings) yield { problem, advice };
}

/** Which of our variables somebody meant by a name that is none of them. */
function mistyped(name: string): string | undefined {
  const names = Object.keys(environment.shape);
  if (name.length < MIN || names.includes(name)) return undefined;
  const sameBegin = (one: string) => name.length >= 2 * MIN && one.startsWith(name.slice(0, -1));
  return names.find((one) => one.length >= MIN && (slips(name, one) <= MAX_SLIPS || sameBegin(one)));
}

/** How many letters were left out, added or exchanged (Levenshtein's distance). */
function slips(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, character] of [...a].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...b].entries())
      current.push(
        Math.min(
          (above[column] ?? 0) + (character === other ? 0 : 1),
          (above[column + 1] ?? 0) + 1,
          (current[column] ?? 0) + 1,
        ),
      );
    above = current;
  }
  return above.at(-1) ?? 0;
}

/** Whether others can read the secret, or the embedded database. */
export async function* permissions(): AsyncGenerator<Fault> {
  const { file } = secretSource();
  const mode = file ? openSecretMode(file) : 0;
  if (file && mode) yield isOpen(file, mode, { allowed: "600", instead: "set AUTH_SECRET instead" });
  if (env.DATABASE_URL) return;
  const files = readdirSync(env.DATA_DIR).filter((name) => name.startsWith(DATABASE_FILE));
  for (const [path, allowed] of [
    [env.DATA_DIR, "700"] as const,
    ...files.map((name) => [join(env.DATA_DIR, name), "600"] as const),
  ]) {
    const mode = openMode(path);
    if (mode) yield isOpen(path, mode, { allowed, instead: "set DATA_DIR to a folder on another file system" });
  }
}

const isOpen = (path: string, mode: number, { allowed, instead }: Record<"allowed" | "instead", string>): Fault => ({
  problem: `${path} is open to others (${mode.toString(8)}).`,
  advice: canClose(path)
    ? `chmod ${allowed} ${path}`
    : `It is not this user's, or its file system keeps no modes. If others use this machine, ${instead}.`,
});
