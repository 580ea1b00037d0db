import { type LogFn, type Logger, type LoggerOptions, pino } from "pino";
import { env } from "./env";

/** One per process, not per copy of this module: two would garble each other's lines. */
const perProcess = globalThis as typeof globalThis & { latchkeyLog?: ReturnType<typeof pino.destination> };

const options: LoggerOptions = { level: env.LOG_LEVEL, base: undefined, serializers: { err: describeError } };
const WARN = 40;
const forPeople = { singleLine: true, translateTime: "SYS:HH:MM:ss.l" };

/**
 * Structured log lines on standard output, JSON or for people (LOG_FORMAT). Never log a token, a code, key data or a
 * whole URL (contract, section 1: secrets).
 */
export const log =
  env.LOG_FORMAT === "pretty"
    ? pino({ ...options, transport: { target: "pino-pretty", options: forPeople } })
    : pino({ ...options, hooks: { logMethod: atOnceWhereItWarns } }, together());

/**
 * Standard output, buffered for at most a quarter of a second: a system call per line takes as long as a look-up in the
 * database. A warning is written immediately with everything before it. So is everything when the process ends, unless
 * it is killed.
 */
function together() {
  if (perProcess.latchkeyLog) return perProcess.latchkeyLog;
  const output = pino.destination({ dest: 1, sync: true, minLength: 12_288, periodicFlush: 250 });
  process.on("exit", () => output.flushSync());
  perProcess.latchkeyLog = output;
  return output;
}

function atOnceWhereItWarns(this: Logger, parameters: Parameters<LogFn>, write: LogFn, level: number): void {
  write.apply(this, parameters);
  if (level >= WARN) together().flushSync();
}

/**
 * A database error may begin with the statement and its values: only the last line of its message is logged, and the
 * stack.
 */
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
