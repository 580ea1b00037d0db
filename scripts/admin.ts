// npm run --silent admin -- <command>: works beside the running service and before its first start. Prints one JSON line on
// standard output, messages on standard error; exit 2 for a bad argument, 1 where the command fails.
import "./admin/environment";
import { checkSecrets } from "@/lib/auth/secrets-in-use";
import { closeDatabase } from "@/lib/db/client";
import { isUnavailable } from "@/lib/db/errors";
import { explainAbsence, explainFault } from "@/lib/db/explain";
import { migrate } from "@/lib/db/migrate";
import { tryConnecting } from "@/lib/db/postgres";
import { ApiError } from "@/lib/errors";
import { forbidPretenuring } from "@/lib/garbage-collector";
import { readArguments } from "./admin/arguments";
import { commands } from "./admin/commands";
import { UsageError } from "./admin/usage";

async function run(): Promise<void> {
  forbidPretenuring();
  const sent = process.argv.slice(2);
  if (sent.some((argument) => ["--help", "-h", "help"].includes(argument))) return console.log(usage());
  const { command, given } = readArguments(sent);
  await tryConnecting();
  if (!command.onAnyDatabase) await migrate();
  if (!command.withoutSecrets) await checkSecrets("command");
  const answer = await command.run(given);
  if (answer) console.log(JSON.stringify(answer));
}

function explain(error: unknown): number {
  console.error(explainFault(error) ?? (isUnavailable(error) ? explainAbsence(error) : lastLine(error)));
  if (error instanceof ApiError && error.code === "invalid_parameter") return 2;
  if (!(error instanceof UsageError)) return 1;
  console.error(usage());
  return 2;
}

/** A fault of the database begins with the statement and its values; only the last line says what happened. */
function lastLine(error: unknown): string | undefined {
  return error instanceof Error ? error.message.trim().split("\n").at(-1) : String(error);
}

function usage(): string {
  return `Usage:\n${Object.values(commands)
    .map(({ form }) => `  npm run --silent admin -- ${form}`)
    .join("\n")}`;
}

try {
  await run();
} catch (error) {
  process.exitCode = explain(error);
} finally {
  await closeDatabase();
}
