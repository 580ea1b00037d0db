import { parseArgs } from "node:util";
import { type Command, commands } from "./commands";
import { type Given, UsageError } from "./usage";

/** What was typed, taken apart. Throws a UsageError. */
export function readArguments(sent: string[]): { command: Command; given: Given } {
  const { positionals, values } = parse(sent);
  const [verb = "", name = "", value = ""] = positionals;
  const command = Object.hasOwn(commands, verb) ? commands[verb] : undefined;
  if (!command) throw new UsageError(verb === "" ? "Which command?" : `There is no command ${verb}.`);
  const wanted = command.form
    .replace(/\[.*?\]/g, "")
    .trim()
    .split(" ").length;
  const isForeign = Object.keys(values).some((option) => !command.form.includes(`--${option}`));
  if (positionals.length !== wanted || isForeign) throw new UsageError(`This is how: ${command.form}`);
  return {
    command,
    given: {
      ...values,
      name,
      value,
      rotate: values.rotate ?? false,
      lost: values.lost ?? false,
      replace: values.replace ?? false,
      unsigned: values.unsigned ?? false,
      skip: values.skip ?? false,
    },
  };
}

function parse(sent: string[]) {
  try {
    const text = { type: "string" } as const;
    return parseArgs({
      args: sent,
      allowPositionals: true,
      options: {
        rotate: { type: "boolean" },
        lost: { type: "boolean" },
        replace: { type: "boolean" },
        unsigned: { type: "boolean" },
        skip: { type: "boolean" },
        key: text,
        user: text,
        limit: text,
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
