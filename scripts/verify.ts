// npm run verify: format, lint, types and the unit tests, in parallel. Prints problems, and how long each took.
import { spawn } from "node:child_process";

/** As `npm test` does in CI. */
const retry = process.env.CI && process.env.CI !== "false" ? ["--retry=1"] : [];

const CHECKS = {
  biome: ["node_modules/@biomejs/biome/bin/biome", "check"],
  types: ["node_modules/typescript-7/bin/tsc", "--incremental", "false"],
  "unit tests": ["node_modules/vitest/vitest.mjs", "run", "--project", "unit", "--project", "unit-alone", ...retry],
};

/** Runs a Node.js program; its output is shown only if it fails. */
function passes(name: string, command: string[]): Promise<boolean> {
  const started = performance.now();
  const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "pipe"] });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => printed.push(chunk));
  return new Promise((resolve) => {
    child.once("close", (status) => {
      if (status !== 0) process.stdout.write(Buffer.concat(printed));
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${status === 0 ? "passed" : "FAILED"}: ${name}, ${seconds} s`);
      resolve(status === 0);
    });
  });
}

const results = await Promise.all(Object.entries(CHECKS).map(([name, command]) => passes(name, command)));
if (results.includes(false)) process.exitCode = 1;
