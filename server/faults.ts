import { log } from "@/lib/log";

/**
 * Writes down what was thrown where nobody waits for it, and goes on: one fault must not end everybody's requests. Next does the
 * same from the first page on.
 */
export function outliveFaults(): void {
  process.on("uncaughtException", (error) => log.error({ err: error }, "something failed outside of a request"));
  process.on("unhandledRejection", (reason) => log.error({ err: reason }, "something failed that nobody waited for"));
}
