import { parseArgs } from "node:util";
import { type Command, commands, type Given, UsageError } from "./commands";

/** What was typed, taken apart. Throws a UsageError. */
export function readArguments(sent: string[]): { command: Command; given: Given } {
  const { positionals, values } = parse(sent);
  const [verb = "", name = "", value = ""] = positionals;
  const command = Object.hasOwn(commands, verb) ? commands[verb] : undefined;
  if (!command) throw new UsageError(verb === "" ? "Which command?" : `There is no command ${verb}.`);
  const wanted = command.form.split(" ").filter((word) => !word.startsWith("[")).length;
  if (positionals.length !== wanted || (values.rotate && !command.form.includes("--rotate"))) throw new UsageError(`This is how: ${command.form}`);
  return { command, given: { name, value, rotate: values.rotate ?? false } };
}

function parse(sent: string[]) {
  try {
    return parseArgs({ args: sent, allowPositionals: true, options: { rotate: { type: "boolean" } } });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
