import { resolve } from "node:path";
import { Command, InvalidArgumentError } from "@commander-js/extra-typings";
import { checkSecrets } from "@/lib/operator/secrets";
import { tryConnecting } from "@/lib/platform/db/client";
import { migrate } from "@/lib/platform/db/migrate";
import { printJson } from "./terminal";

/** How the admin command is called. */
export const CALL = "./latchkey";

/**
 * A command. The list of commands shows the `summary`; the command's own help does so too unless it has a longer
 * description. That help ends with an `example` of what to type after the call.
 */
export function command(name: string, summary: string, example: string) {
  return new Command(name)
    .summary(summary)
    .description(summary)
    .addHelpText("after", `\nExample:\n  ${CALL} ${example}`);
}

/**
 * What a command needs from the database: its tables and the secrets of its tokens; its tables only, because it also
 * works on a database whose secret is lost; or nothing, because it may not be migrated, or only by a newer version.
 */
type Needs = "tables and secrets" | "tables" | "nothing";

/** A file that an argument names, relative to the folder in which the command was called, not to this program's. */
export function fileAt(path: string): string {
  const { INIT_CWD = process.cwd() } = process.env;
  return path === "-" || INIT_CWD === process.cwd() ? path : resolve(INIT_CWD, path);
}

/** Reads an option as a whole number from 1. `what`: as its refusal names it. */
export function wholeNumber(what: string, max: number) {
  return (written: string): number => {
    if (/^[1-9]\d*$/.test(written) && Number(written) <= max) return Number(written);
    throw new InvalidArgumentError(`${what} must be a whole number from 1 to ${max}.`);
  };
}

/**
 * The action of a command, once the database has what it needs. The result of `run` is printed as one JSON line, or
 * that of a list as one for each.
 */
export function commandAction<Input extends unknown[]>(
  run: (...input: Input) => Promise<object | undefined>,
  needs: Needs = "tables and secrets",
): (...input: Input) => Promise<void> {
  return async (...input) => {
    await tryConnecting();
    if (needs !== "nothing") await migrate();
    if (needs === "tables and secrets") await checkSecrets("command");
    const result = await run(...input);
    for (const one of [result ?? []].flat()) printJson(one);
  };
}
