import { type LoggerOptions, pino } from "pino";
import { prettyFactory } from "pino-pretty";
import { env } from "./env";
import { perProcess } from "./process";
import { plainLines } from "./safe-text";

const WARN = 40;
const FLUSH_AT_CHARACTERS = 32_768;
const FLUSH_EVERY_MS = 250;
/** Of lines that cannot be written; the rest is dropped. */
const MAX_BUFFERED_CHARACTERS = 1_000_000;

/**
 * Standard output, at most a quarter of a second late: a system call per line takes as long as a look-up in the
 * database. A warning is written immediately with everything before it, which pino's own buffer does not do. So is
 * everything when the process ends, unless it is killed. What cannot be written waits, up to a bound, and stops
 * nothing: a full disk, a reader that stands still, and one that is gone.
 */
class StandardOutput {
  /** Asks pino for `lastLevel`, the level of each line. */
  readonly [pino.symbols.needsMetadataGsym] = true;
  lastLevel = 0;
  private readonly output = pino.destination({
    dest: 1,
    sync: true,
    maxLength: MAX_BUFFERED_CHARACTERS,
    // Not now: the next line is written after those that could not be.
    retryEAGAIN: () => false,
  });
  private lines: string[] = [];
  private characters = 0;
  private lost = 0;
  /** The last attempt to write failed. */
  private isStuck = false;
  private isReaderGone = false;

  constructor() {
    // From its first use on, Node does not wait for a pipe's reader.
    void process.stdout;
    setInterval(() => this.flush(), FLUSH_EVERY_MS).unref();
    process.on("exit", () => this.flush());
    this.output.on("error", ({ code }: NodeJS.ErrnoException) => {
      this.isStuck = true;
      if (code !== "EPIPE" || this.isReaderGone) return;
      this.isReaderGone = true;
      process.stderr.write("The program that reads the log has ended: from here on, nothing is logged.\n");
    });
    // Whoever read both is gone: there is nowhere to say so.
    process.stderr.on("error", () => {});
    this.output.on("drop", () => {
      this.lost += this.lines.length;
    });
  }

  write(line: string): void {
    this.lines.push(line);
    this.characters += line.length;
    if (this.characters >= FLUSH_AT_CHARACTERS || this.lastLevel >= WARN) this.flush();
  }

  private flush(): void {
    if (this.isStuck) {
      this.isStuck = false;
      // The lines that wait: if there are so many that it takes no more, only this makes it write them.
      this.output.write("");
    }
    if (this.lines.length === 0) return;
    const lost = this.lost;
    // Joined once: pino's own buffer measures each line, which takes longer than creating it.
    this.output.write(written(this.lines));
    if (lost > 0 && this.lost === lost) {
      this.lost = 0;
      const line = { level: WARN, time: Date.now(), lost, msg: "lines could not be written" };
      this.output.write(written([`${JSON.stringify(line)}\n`]));
    }
    this.lines = [];
    this.characters = 0;
  }
}

const pretty = prettyFactory({ singleLine: true, translateTime: "SYS:HH:MM:ss.l" });
/** Others choose what a request contains, and an operator may read this in a terminal. */
const written = (lines: string[]) =>
  env.LOG_FORMAT === "pretty"
    ? lines.map((line) => pretty(namingControls(line)) ?? "").join("")
    : plainLines(lines.join(""));
const options: LoggerOptions = { level: env.LOG_LEVEL, base: undefined, serializers: { err: describeError } };

/**
 * Structured log lines on standard output, JSON or for people (LOG_FORMAT). Nothing else goes there, because collectors
 * parse it line by line: messages for whoever starts the service go to standard error. Never log a token, a code, key
 * data or a whole URL (contract, section 1: secrets).
 */
export const log = pino(
  options,
  // Two in one process would garble each other's lines.
  perProcess("log", () => new StandardOutput()),
);

/** A line of JSON for pino-pretty, which prints texts as they are: control characters become their names. */
function namingControls(line: string): string {
  return plainLines(line).replace(/\\(?:u[0-9a-f]{4}|[^nt"/])/g, (name) => (name === "\\\\" ? name : `\\${name}`));
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
