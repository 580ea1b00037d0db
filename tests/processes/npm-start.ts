import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasEnded } from "@/scripts/scratch-server";

/** How the service is started: by npm, by what npm runs, by the command of a package, or by the demo. */
const COMMANDS = {
  npm: ["npm", "start"],
  node: [process.execPath, "scripts/start.mjs"],
  latchkey: ["./latchkey", "start"],
  demo: [process.execPath, "--import", "tsx", "scripts/demo.ts"],
} as const;
/** What a developer's .env may say. */
const UNSET = { DATABASE_URL: "", AUTH_SECRET: "", NEXTAUTH_URL: "", TRUSTED_PROXIES: "" };

interface How {
  /** A checkout; by default, this one. */
  folder?: string;
  startedBy?: keyof typeof COMMANDS;
}

/** The service as somebody starts it, in a group of processes of its own, with data of its own. */
export class Service {
  private readonly child: ChildProcess;
  private readonly ended: Promise<number | string>;
  private readonly data = mkdtempSync(join(tmpdir(), "latchkey-started-"));
  output = "";

  constructor(environment: Record<string, string> = {}, { folder = ".", startedBy = "node" }: How = {}) {
    const [program, ...parameters] = COMMANDS[startedBy];
    const usual = { ...UNSET, DATA_DIR: this.data, PORT: "0", HOST: "127.0.0.1", LOG_LEVEL: "warn" };
    this.child = spawn(program, parameters, {
      detached: true,
      cwd: folder,
      env: { ...process.env, ...usual, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) stream?.on("data", (chunk) => (this.output += chunk));
    this.ended = new Promise((resolve) => this.child.once("close", (code, signal) => resolve(code ?? signal ?? "")));
  }

  /** Its port, as soon as it answers. Throws what it printed where it ends instead. */
  async port(): Promise<number> {
    for (;;) {
      const port = /running at http:\/\/127\.0\.0\.1:(\d+)/.exec(this.output)?.[1];
      if (port) return Number(port);
      if (hasEnded(this.child)) throw new Error(`The service ended (${await this.ended}):\n${this.output}`);
      await sleep(20);
    }
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
    rmSync(this.data, { recursive: true, force: true });
  }
}
