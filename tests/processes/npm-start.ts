import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasEnded } from "@/scripts/scratch-server";
import { Program } from "@/tests/support/program";

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
export class Service extends Program {
  private readonly data: string;

  constructor(environment: Record<string, string> = {}, { folder = ".", startedBy = "node" }: How = {}) {
    const data = mkdtempSync(join(tmpdir(), "latchkey-started-"));
    const usual = { ...UNSET, DATA_DIR: data, PORT: "0", HOST: "127.0.0.1", LOG_LEVEL: "warn" };
    const env = { ...process.env, ...usual, ...environment };
    super(COMMANDS[startedBy], { detached: true, cwd: folder, env });
    this.data = data;
  }

  /** Its port, as soon as it answers. Throws what it printed where it ends instead. */
  async port(): Promise<number> {
    return Number(await this.shown(/running at http:\/\/127\.0\.0\.1:(\d+)/));
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!hasEnded(this.child)) process.kill(-(this.child.pid ?? 0), "SIGKILL");
    await this.exit();
    rmSync(this.data, { recursive: true, force: true });
  }
}
