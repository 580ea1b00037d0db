import { format, stripVTControlCharacters } from "node:util";
import { env } from "@/lib/env";
import { log } from "@/lib/log";

/** What is printed through the console, and how grave that is. Next prints so, and packages do. */
const LEVELS = { debug: "debug", log: "info", info: "info", warn: "warn", error: "error" } as const;

/** Makes log lines of what is printed through the console from here on, so that standard output holds nothing but JSON. For people it stays as it is. */
export function consoleToLog(): void {
  if (env.LOG_FORMAT === "pretty") return;
  for (const [method, level] of Object.entries(LEVELS) as [keyof typeof LEVELS, (typeof LEVELS)[keyof typeof LEVELS]][]) {
    console[method] = (...printed: unknown[]) => log[level]({ printed: stripVTControlCharacters(format(...printed)).trim() }, "a package printed this");
  }
}
