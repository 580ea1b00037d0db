// npm run --silent admin -- <command>: works beside the running service and before its first start. Prints one JSON line on
// standard output, messages on standard error; exit 2 for a bad argument, 1 where the command fails.
import "./admin/environment";
import { parseArgs } from "node:util";
import { closeDatabase } from "@/lib/db/client";
import { migrate } from "@/lib/db/migrate";
import { ApiError } from "@/lib/errors";
import { commands, type Given, UsageError } from "./admin/commands";

async function run(): Promise<void> {
  const { command, given } = read(process.argv.slice(2));
  await migrate();
  const answer = await command.run(given);
  if (answer) console.log(JSON.stringify(answer));
}

function read(sent: string[]): { command: (typeof commands)[string]; given: Given } {
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

function explain(error: unknown): number {
  // A fault of the database begins with the statement and its values; only the last line says what happened.
  console.error(error instanceof Error ? error.message.trim().split("\n").at(-1) : String(error));
  const isBadArgument = error instanceof UsageError || (error instanceof ApiError && error.code === "invalid_parameter");
  if (!isBadArgument) return 1;
  const forms = Object.values(commands).map(({ form }) => `  npm run --silent admin -- ${form}`);
  console.error(`Usage:\n${forms.join("\n")}`);
  return 2;
}

try {
  await run();
} catch (error) {
  process.exitCode = explain(error);
} finally {
  await closeDatabase();
}
