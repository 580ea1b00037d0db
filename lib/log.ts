import { pino } from "pino";
import { env } from "./env";

/**
 * Structured log lines on standard output, JSON or for people (LOG_FORMAT). Never log a token, a code, key data or a whole
 * URL (contract, section 1: secrets).
 */
export const log = pino({
  level: env.LOG_LEVEL,
  base: undefined,
  serializers: { err: describeError },
  ...(env.LOG_FORMAT === "pretty" && { transport: { target: "pino-pretty", options: { singleLine: true, translateTime: "SYS:HH:MM:ss.l" } } }),
});

/** A fault of the database may begin with the statement and its values: only the last line of its message is told, and where it was thrown. */
function describeError(error: unknown, depth = 0): object | string {
  if (!(error instanceof Error)) return typeof error;
  const { name, message, stack = "", cause } = error;
  return {
    type: name,
    code: (error as NodeJS.ErrnoException).code,
    message: message.trim().split("\n").at(-1),
    at: stack
      .split("\n")
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 8)
      .map((line) => line.trim()),
    cause: cause === undefined || depth === 3 ? undefined : describeError(cause, depth + 1),
  };
}
