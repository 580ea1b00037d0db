import { format, stripVTControlCharacters } from "node:util";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";

/** The console methods and their log levels. Next and packages print this way. */
const LEVELS = { debug: "debug", log: "info", info: "info", warn: "warn", error: "error" } as const;

/**
 * Turns everything printed through the console from now on into log lines, so that standard output contains only JSON.
 * For people it stays as it is.
 */
export function consoleToLog(): void {
  if (env.LOG_FORMAT === "pretty") return;
  for (const [method, level] of Object.entries(LEVELS) as [
    keyof typeof LEVELS,
    (typeof LEVELS)[keyof typeof LEVELS],
  ][]) {
    console[method] = (...printed: unknown[]) =>
      log[level]({ printed: stripVTControlCharacters(format(...printed)).trim() }, "a package printed this");
  }
}

/**
 * Logs errors that nobody catches, and continues: one fault must not end everybody's requests. Next does the same after
 * the first page.
 */
export function outliveFaults(): void {
  process.on("uncaughtException", (error) => log.error({ err: error }, "an error occurred outside a request"));
  process.on("unhandledRejection", (reason) => log.error({ err: reason }, "a promise rejection was not handled"));
}
