#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import { CommanderError } from "@commander-js/extra-typings";
import { jsonLine, plain } from "../../../lib/platform/safe-text";
import { EXIT, Failure, failureOf } from "./failure";
import { printMessage } from "./output";
import { latchkeyProgram } from "./program";
import { interrupted, leave } from "./read-input";

// What is pulled is garbage a moment later: V8 would keep 30 MB for more of it at a time.
setFlagsFromString("--semi-space-growth-factor=1");

let hasEnded = false;
function end({ status, code, message }: Failure): void {
  if (hasEnded) return;
  hasEnded = true;
  process.exitCode = status;
  if (message) printMessage(process.argv.includes("--json") ? jsonLine({ error: message, code }) : plain(message));
}

process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  // The reader has seen enough, as in `| head`.
  const isRead = code === "EPIPE";
  const sentence = `The output cannot be written: ${message}`;
  const failure = isRead ? new Failure(EXIT.done, "", "") : new Failure(EXIT.failed, "output_failed", sentence);
  leave(failure);
  end(failure);
});
// There is nowhere to say so.
process.stderr.on("error", () => {});

try {
  await latchkeyProgram().parseAsync();
} catch (error) {
  // The parser has printed it already, or printed the requested help.
  if (error instanceof CommanderError) process.exitCode ??= error.exitCode === 0 ? EXIT.done : EXIT.usage;
  else end(failureOf(interrupted.aborted ? interrupted.reason : error));
}
