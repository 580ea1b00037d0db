import { log } from "@/lib/platform/log";

/**
 * Logs errors that nobody catches, and continues: one fault must not end everybody's requests. Next does the same after
 * the first page.
 */
export function outliveFaults(): void {
  process.on("uncaughtException", (error) => log.error({ err: error }, "an error occurred outside a request"));
  process.on("unhandledRejection", (reason) => log.error({ err: reason }, "a promise rejection was not handled"));
}
