// npm run --silent admin -- <command>: works beside the running service and before its first start. Prints one JSON line on
// standard output, messages on standard error; exit 2 for a bad argument, 1 where the command fails.
import "./admin/environment";
import { closeDatabase } from "@/lib/db/client";
import { migrate } from "@/lib/db/migrate";
import { ApiError } from "@/lib/errors";
import { readArguments } from "./admin/arguments";
import { commands } from "./admin/commands";
import { UsageError } from "./admin/usage";

async function run(): Promise<void> {
  const { command, given } = readArguments(process.argv.slice(2));
  await migrate();
  const answer = await command.run(given);
  if (answer) console.log(JSON.stringify(answer));
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
