// npm test [path …]: run before proposing a change; or only the test files whose path contains one of the arguments
// npm run test:all [path …]: the same at full size, each file on whatever it depends on
// npm run test:long [path …]: gigabytes, kill loops, images
// tests/README.md says which tests these are.

import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createVitest, type TestModule, type TestSuite } from "vitest/node";
import { loudly } from "./install";
import { runnable } from "./runnable-tests";

const options = ["--all", "--long"];
const filters = process.argv.slice(2).filter((argument) => !options.includes(argument));
const isLong = process.argv.includes("--long");
if (process.argv.includes("--all")) process.env.TEST_SIZE = "heavy";
const isCi = Boolean(process.env.CI) && process.env.CI !== "false";
const skipped: string[] = [];
/** These two are named once more at the end: differences may fill what is kept of the output. */
const flaky: string[] = [];
const failures: string[] = [];

/** Everything temporary of this run. PostgreSQL, which does not run as root, has its data there too. */
const folder = mkdtempSync(join(tmpdir(), "latchkey-tests-"));
chmodSync(folder, 0o755);
process.env.TMPDIR = folder;

/**
 * Runs the test files and returns the results. A file that could not run counts as one failure. In CI, a file in which
 * something failed, or whose process crashed, runs once more, in a new process: what the first attempt stored or left
 * running is not there.
 */
async function run(): Promise<{ passed: number; failed: number }> {
  const project = isLong ? ["long"] : ["!long"];
  const vitest = await createVitest("test", { project, run: true, watch: false });
  await vitest.standalone();
  const specifications = runnable(await vitest.globTestSpecifications(filters), skipped);
  let { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications, true);
  const again = isCi ? specifications.filter(({ testModule }) => testModule?.state() !== "passed") : [];
  let faults = unhandledErrors.filter((error) => again.length === 0 || !isCrash(error)).length;
  if (again.length > 0) {
    const firstCauses = new Map(failuresOf(testModules));
    // Vitest keeps the first attempt's failures there.
    process.exitCode = undefined;
    ({ testModules, unhandledErrors } = await vitest.runTestSpecifications(again));
    faults += unhandledErrors.length;
    const stillFailing = new Map(failuresOf(testModules));
    for (const [test, causes] of firstCauses) if (!stillFailing.has(test)) flaky.push(test + causes);
  }
  failures.push(...failuresOf(testModules).map((failure) => failure.join("")));
  const results = { passed: 0, failed: failures.length + faults };
  for (const testModule of testModules)
    for (const test of testModule.children.allTests()) {
      const { state } = test.result();
      if (state === "passed") results.passed++;
      else if (state !== "failed") skipped.push(`${testModule.project.name}: ${test.fullName}`);
    }
  await vitest.close();
  // What a project found at its end, and whatever else Vitest takes for a failure.
  if (process.exitCode) results.failed ||= 1;
  // If the setup fails, there are no test results.
  if (results.passed === 0) results.failed ||= 1;
  return results;
}

/** Each failed test, hook or file, with the first line of each of its errors. */
function failuresOf(testModules: readonly TestModule[]): [test: string, causes: string][] {
  return testModules.flatMap((testModule) => {
    const file = `${testModule.project.name}: ${testModule.relativeModuleId}`;
    const suites = [testModule, ...testModule.children.allSuites()].filter((suite) => suite.errors().length > 0);
    const tests = [...testModule.children.allTests("failed")];
    const isUnfinished = !["passed", "failed", "skipped"].includes(testModule.state());
    return [
      ...(isUnfinished ? [[file, "\n    its process crashed"] as [string, string]] : []),
      ...suites.map((suite): [string, string] => [`${file}${nameOf(suite)}`, causes(suite.errors())]),
      ...tests.map((test): [string, string] => [`${file}: ${test.fullName}`, causes(test.result().errors ?? [])]),
    ];
  });
}

/** Of a test process. The file that it ran has no result. */
const isCrash = (error: unknown) => error instanceof Error && error.message.startsWith("[vitest-pool]");
const nameOf = (suite: TestModule | TestSuite) => (suite.type === "suite" ? `: ${suite.fullName}` : "");
const causes = (errors: readonly { message: string }[]) =>
  errors.map(({ message }) => `\n    ${message.split("\n")[0]?.slice(0, 300)}`).join("");

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
