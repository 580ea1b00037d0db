// npm test [path …]: run before proposing a change; or only the test files whose path contains one of the arguments
// npm run test:all [path …]: the same at full size, and the whole contract on every lane and database
// npm run test:long [path …]: gigabytes, kill loops, images
// tests/README.md says which tests these are.

import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createVitest, type TestCase, type TestModule } from "vitest/node";
import { loudly } from "./install";
import { runnable } from "./runnable-tests";

const options = ["--all", "--long"];
const filters = process.argv.slice(2).filter((argument) => !options.includes(argument));
const isLong = process.argv.includes("--long");
if (process.argv.includes("--all")) process.env.TEST_SIZE = "heavy";
const isCi = Boolean(process.env.CI) && process.env.CI !== "false";
const skipped: string[] = [];
const flaky: string[] = [];
/** Named once more at the end: differences may fill what is kept of the output. */
const failures: string[] = [];

/** Everything temporary of this run. PostgreSQL, which does not run as root, has its data there too. */
const folder = mkdtempSync(join(tmpdir(), "latchkey-tests-"));
chmodSync(folder, 0o755);
process.env.TMPDIR = folder;

/** Runs the test files and returns the results. A file that could not run counts as one failure. */
async function run(): Promise<{ passed: number; failed: number }> {
  const project = isLong ? ["long"] : ["!long"];
  const vitest = await createVitest("test", { project, run: true, watch: false, retry: isCi ? 1 : 0 });
  await vitest.standalone();
  await vitest.runTestSpecifications(runnable(await vitest.globTestSpecifications(filters), skipped), true);
  const results = { passed: 0, failed: vitest.state.getUnhandledErrors().length };
  for (const testModule of vitest.state.getTestModules()) count(testModule, results);
  await vitest.close();
  // What a project found at its end.
  if (process.exitCode) results.failed ||= 1;
  // If the setup fails, there are no test results.
  if (results.passed === 0) results.failed ||= 1;
  return results;
}

function count(testModule: TestModule, results: { passed: number; failed: number }) {
  let failed = 0;
  for (const test of testModule.children.allTests()) {
    const { state } = test.result();
    if (test.diagnostic()?.flaky) flaky.push(`${testModule.project.name}: ${test.fullName}`);
    if (state === "passed") results.passed++;
    else if (state === "failed") {
      failed++;
      failures.push(`${testModule.project.name}: ${testModule.relativeModuleId}: ${test.fullName}${causes(test)}`);
    } else skipped.push(`${testModule.project.name}: ${test.fullName}`);
  }
  results.failed += testModule.ok() ? failed : Math.max(1, failed);
}

/** What each attempt ended with, a line each. */
function causes(test: TestCase): string {
  const lines = (test.result().errors ?? []).map(({ message }) => message.split("\n")[0]?.slice(0, 300));
  return lines.map((line) => `\n    ${line}`).join("");
}

/** What tests have left there. The server of a killed process and its folder are gone within seconds. */
async function leftBehind(): Promise<string[]> {
  for (let seconds = 0; ; seconds++) {
    const left = readdirSync(folder).filter((name) => name.startsWith("latchkey-"));
    if (left.length === 0 || seconds === 10) return left;
    await sleep(1_000);
  }
}

const { passed, failed } = await run();
const left = await leftBehind();
rmSync(folder, { recursive: true, force: true });

if (skipped.length > 0) loudly(`Skipped:\n  ${skipped.join("\n  ")}`);
if (flaky.length > 0) loudly(`Failed at first, passed when run again:\n  ${flaky.join("\n  ")}`);
if (failures.length > 0) loudly(`Failed:\n  ${failures.join("\n  ")}`);
if (left.length > 0)
  loudly(`Tests have left these folders behind, and perhaps the servers that use them:\n  ${left.join("\n  ")}`);
const isRefused = isCi && skipped.length > 0;
if (isRefused) console.error("Nothing may be skipped in CI.");
console.log(`${passed} passed, ${failed} failed`);
// A test that took too long was killed, and could clean up nothing.
const isUnclean = left.length > 0 && flaky.length === 0;
process.exitCode = failed > 0 || isUnclean || isRefused ? 1 : 0;
