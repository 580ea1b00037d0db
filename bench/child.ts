import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { endWithThisProcess, hasEnded } from "@/scripts/scratch-server";

/** The folder of this run's databases, documents and logs; it is removed at the end. */
export const scratch = mkdtempSync(join(tmpdir(), "latchkey-bench-"));
process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));

/** A server in its own process. */
export interface RunningServer {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

export interface Program {
  /** The name of its log file. */
  name: string;
  /** Node by default. */
  command?: string;
  parameters: string[];
  environment?: Record<string, string>;
  /** Where it listens; without it, it prints the address as its first line. */
  url?: string;
  /** The path that returns 200 once it is ready. */
  ready?: string;
}

/** Runs one of our programs on Node with tsx. */
export const typescript = (path: string, ...parameters: string[]): string[] => ["--import", "tsx", path, ...parameters];

/**
 * Starts a server, with its output in a file, as a supervisor would; resolves when it responds. Throws with that output
 * if it does not.
 */
export async function startServer({
  name,
  command = process.execPath,
  parameters,
  environment,
  url,
  ready,
}: Program): Promise<RunningServer> {
  const logFile = join(scratch, `${name.replace(/\W+/g, "-")}.log`);
  const log = openSync(logFile, "w");
  const env = { ...inherited(), ...environment };
  const child = spawn(command, parameters, { env, stdio: ["ignore", log, log] });
  endWithThisProcess(child, scratch);
  closeSync(log);
  const address = () => url ?? /^http:\/\/\S+$/m.exec(readFileSync(logFile, "utf8"))?.[0];
  const deadline = Date.now() + 120_000;
  for (;;) {
    const url = address();
    if (url && child.pid && (ready === undefined || (await isResponding(`${url}${ready}`))))
      return { url, pid: child.pid, stop: () => end(child) };
    if (hasEnded(child) || Date.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`${name} did not start:\n${readFileSync(logFile, "utf8")}`);
    }
    await sleep(10);
  }
}

/** Runs a program to its end and returns its output. */
export async function run(
  parameters: string[],
  { environment, input }: { environment?: Record<string, string>; input?: string } = {},
): Promise<string> {
  const child = spawn(process.execPath, parameters, {
    env: { ...inherited(), ...environment },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(input);
  const parts: Buffer[] = [];
  child.stdout.on("data", (part: Buffer) => parts.push(part));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${parameters.join(" ")} ended with status ${code}.`);
  return Buffer.concat(parts).toString();
}

/** All of them run as in production; the caller's environment does not configure them. */
function inherited(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? "", HOME: scratch, NODE_ENV: "production" };
}

async function isResponding(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.ok ?? false;
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
