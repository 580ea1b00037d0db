import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasEnded } from "@/scripts/scratch-server";

const NOT_COPIED = /^(?:\.git|\.next|\.builds|node_modules|data|test-results|tests|\.env.*)$/;

/** A copy of the sources and of the build in use, and a data folder of its own. */
export function copyCheckout(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-checkout-"));
  for (const name of readdirSync("."))
    if (!NOT_COPIED.test(name)) cpSync(name, join(folder, name), { recursive: true });
  try {
    execFileSync("cp", ["-al", "node_modules", folder], { stdio: "ignore" });
  } catch {
    cpSync("node_modules", join(folder, "node_modules"), { recursive: true, verbatimSymlinks: true });
  }
  for (const name of ["current", readFileSync(".builds/current", "utf8").trim()])
    cpSync(join(".builds", name), join(folder, ".builds", name), {
      recursive: true,
      filter: (path) => basename(path) !== "cache",
    });
  mkdirSync(join(folder, "data"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** How the service is started: by npm, or by what npm runs. */
const COMMANDS = { npm: ["npm", "start"], node: [process.execPath, "scripts/start.mjs"] } as const;

/** The service, in a group of processes of its own. */
export class Service {
  private readonly child: ChildProcess;
  private readonly ended: Promise<number | string>;
  output = "";

  constructor(folder: string, environment: Record<string, string> = {}, startedBy: keyof typeof COMMANDS = "node") {
    const [program, ...parameters] = COMMANDS[startedBy];
    this.child = spawn(program, parameters, {
      detached: true,
      cwd: folder,
      env: {
        ...process.env,
        DATA_DIR: join(folder, "data"),
        PORT: "0",
        HOST: "127.0.0.1",
        LOG_LEVEL: "warn",
        ...environment,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) stream?.on("data", (chunk) => (this.output += chunk));
    this.ended = new Promise((resolve) => this.child.once("close", (code, signal) => resolve(code ?? signal ?? "")));
  }

  /** Its port, as soon as it answers. Throws what it printed where it ends instead. */
  async port(): Promise<number> {
    const gone = this.ended.then((status) => {
      throw new Error(`The service ended (${status}):\n${this.output}`);
    });
    const announced = (async () => {
      for (;;) {
        const port = /running at http:\/\/127\.0\.0\.1:(\d+)/.exec(this.output)?.[1];
        if (port) return Number(port);
        await sleep(20);
      }
    })();
    return Promise.race([announced, gone]);
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Its exit status, or the signal that ended it. */
  exit(): Promise<number | string> {
    return this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!hasEnded(this.child)) process.kill(-(this.child.pid ?? 0), "SIGKILL");
    await this.ended;
  }
}
