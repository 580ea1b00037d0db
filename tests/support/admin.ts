import { spawn } from "node:child_process";
import { bundled } from "@/scripts/bundled.mjs";

export interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs one of our scripts in its own process with `input` piped into it; null for the empty standard input of a
 * terminal or service.
 */
export async function runScript(
  script: string,
  sent: string[],
  environment: NodeJS.ProcessEnv,
  input: string | Buffer | null = null,
): Promise<Ended> {
  const program = await bundled(script);
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...sent], {
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

export const runAdmin = (sent: string[], environment: NodeJS.ProcessEnv, input: string | Buffer | null = null) =>
  runScript("scripts/admin.ts", sent, environment, input);

/** What the doctor says of one thing, with the database and the secret that these variables name. */
export async function doctorOf(
  about: string,
  variables: Record<string, string>,
): Promise<{ check: string; problem: string; advice: string }[]> {
  const environment = { PATH: process.env.PATH, NODE_ENV: "production" as const, ...variables };
  const { problems } = JSON.parse((await runAdmin(["doctor"], environment)).stdout);
  return problems.filter(({ check }: { check: string }) => check === about);
}
