#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import { CommanderError } from "@commander-js/extra-typings";
import { EXIT, failureOf } from "./failure";
import { interrupted } from "./interrupted";
import { jsonLine, plain, say } from "./output";
import { latchkeyProgram } from "./program";

// What is pulled is garbage a moment later: V8 would keep 30 MB for more of it at a time.
setFlagsFromString("--semi-space-growth-factor=1");

// The reader has seen enough, as in `| head`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(EXIT.done);
});

try {
  await latchkeyProgram().parseAsync();
} catch (error) {
  // The parser has printed it already, or printed the requested help.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage;
  else {
    const { status, code, message } = failureOf(interrupted.aborted ? interrupted.reason : error);
    say(process.argv.includes("--json") ? jsonLine({ error: message, code }) : plain(message));
    process.exitCode = status;
  }
}
