import { spawn } from "node:child_process";

export interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a script of ours in a process of its own with `input` piped into it; null for a terminal's or service's empty standard input. */
export function runScript(script: string, sent: string[], environment: NodeJS.ProcessEnv, input: string | null = null): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["node_modules/tsx/dist/cli.mjs", script, ...sent], {
      env: environment,
      stdio: [input === null ? "ignore" : "pipe", "pipe", "pipe"],
    });
    const ended: Ended = { status: null, stdout: "", stderr: "" };
    child.stdout?.on("data", (chunk) => (ended.stdout += chunk));
    child.stderr?.on("data", (chunk) => (ended.stderr += chunk));
    child.stdin?.on("error", () => {}).end(input);
    child.on("close", (status) => resolve({ ...ended, status }));
  });
}

/** Runs the admin command. */
export const runAdmin = (sent: string[], environment: NodeJS.ProcessEnv, input: string | null = null) =>
  runScript("scripts/admin.ts", sent, environment, input);
