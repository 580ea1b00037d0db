// ./latchkey <command>: works beside the running service and before its first start. Prints one JSON
// line on standard output, messages on standard error; exit 2 for a bad argument, 1 if the command fails.
import "./output.mjs";
import "./admin/environment";
import { CommanderError } from "@commander-js/extra-typings";
import { closeDatabase } from "@/lib/platform/db/client";
import { explainFailure } from "@/lib/platform/db/explain";
import { ApiError } from "@/lib/platform/errors";
import { setEngineFlags } from "@/lib/platform/process";
import { adminProgram } from "./admin/program";
import { printMessage } from "./admin/terminal";

/** Prints what went wrong. Returns the exit status. */
function explain(error: unknown): number {
  // The parser has printed it already, or printed the requested help.
  if (error instanceof CommanderError) {
    if (error.code === "commander.unknownOption")
      printMessage("If it is a name that begins with a hyphen, put -- first.");
    return error.exitCode === 0 ? 0 : 2;
  }
  printMessage(explainFailure(error));
  return error instanceof ApiError && error.code === "invalid_parameter" ? 2 : 1;
}

try {
  setEngineFlags();
  await adminProgram().parseAsync();
} catch (error) {
  process.exitCode = explain(error);
} finally {
  await closeDatabase();
}
