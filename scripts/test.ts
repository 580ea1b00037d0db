// npm test: what shows a mistake soonest, in three minutes
// npm test <path …>: the test files whose path contains one of these, each on whatever it depends on
// npm test -- --all: every file so, which CI does
// npm run test:long [path …]: gigabytes, kill loops, images, and everything random for longer
// tests/README.md says which tests these are.

import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createVitest, type TestModule, type TestSpecification, type TestSuite } from "vitest/node";
import { ensure, loudly } from "./install";

const options = ["--all", "--long"];
const filters = process.argv.slice(2).filter((argument) => !options.includes(argument));
const isLong = process.argv.includes("--long");
const isAll = process.argv.includes("--all") || filters.length > 0;
if (isLong) process.env.TEST_SIZE = "long";
/** What `npm test` runs: it needs nothing but Node.js and a browser. */
const SOON = ["unit", "unit-alone", "sqlite", "sqlite-alone", "direct-sqlite", "browser"];
/** Folders of these that take longer: with --all only. */
const LATER = /\/tests\/(?:backup|clients|durability|mail|recovery)\//;
/** Of the pages `npm test` runs these. */
const JOURNEYS = /\/pages\/(?:files|keys|link|sign-in)\.test/;
const isCi = Boolean(process.env.CI) && process.env.CI !== "false";
const skipped: string[] = [];
/** Named once more at the end: differences may fill what is kept of the output. */
const failures: string[] = [];

/** Everything temporary of this run. PostgreSQL, which does not run as root, has its data there too. */
const folder = mkdtempSync(join(tmpdir(), "latchkey-tests-"));
chmodSync(folder, 0o755);
process.env.TMPDIR = folder;

/** Runs the test files and returns the results. A file that could not run counts as one failure. */
async function run(): Promise<{ passed: number; failed: number }> {
  const project = isLong ? [] : isAll ? ["!long"] : SOON;
  const vitest = await createVitest("test", { project, run: true, watch: false });
  await vitest.standalone();
  const specifications = await vitest.globTestSpecifications(filters);
  if (isAll && filters.length === 0) failures.push(...withoutProject(specifications));
  const isSoon = ({ project, moduleId }: TestSpecification) =>
    project.name === "browser" ? JOURNEYS.test(moduleId) : !LATER.test(moduleId);
  const selected = isLong ? specifications.filter(isLonger) : isAll ? specifications : specifications.filter(isSoon);
  const chosen = runnable(selected);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(chosen, true);
  failures.push(...failuresOf(testModules));
  const results = { passed: 0, failed: failures.length + unhandledErrors.length };
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

/** The test files that no project has found: they would never run. */
function withoutProject(specifications: TestSpecification[]): string[] {
  const files = new Set(specifications.map(({ moduleId }) => relative("tests", moduleId)));
  return readdirSync("tests", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts") && !file.endsWith(".long.test.ts") && !files.has(file))
    .map((file) => `tests/${file}: is in no project of vitest.config.ts`);
}

/** Whether it is different in a long run: a file of it, or one that does something so many times. */
const isLonger = ({ project, moduleId }: TestSpecification) =>
  project.name === "long" || readFileSync(moduleId, "utf8").includes("sized(");

/** Each failed test, hook or file, with the first line of each of its errors. */
function failuresOf(testModules: readonly TestModule[]): string[] {
  return testModules.flatMap((testModule) => {
    const file = `${testModule.project.name}: ${testModule.relativeModuleId}`;
    const suites = [testModule, ...testModule.children.allSuites()].filter((suite) => suite.errors().length > 0);
    const tests = [...testModule.children.allTests("failed")];
    const isUnfinished = !["passed", "failed", "skipped"].includes(testModule.state());
    return [
      ...(isUnfinished ? [`${file}\n    its process crashed`] : []),
      ...suites.map((suite) => file + nameOf(suite) + causes(suite.errors())),
      ...tests.map((test) => `${file}: ${test.fullName}${causes(test.result().errors ?? [])}`),
    ];
  });
}

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

/** What test files need beside Node.js, by projects and paths. Without what is vital to them, they do not run. */
const NEEDS: { of: RegExp; things: string[]; isVital?: true }[] = [
  { of: /^\S*postgresql|^(?:processes|browser) /, things: ["PostgreSQL"], isVital: true },
  { of: /^pgbouncer/, things: ["PgBouncer"], isVital: true },
  { of: /^browser/, things: ["Chromium"], isVital: true },
  { of: /\/cluster\//, things: ["PostgreSQL's programs", "patroni", "etcd", "haproxy", "PgBouncer"], isVital: true },
  { of: /\/clients\//, things: ["mypy", "cryptography for Python", "pip", "Python with venv"] },
  { of: /\/clients\/(?:packages|readme)/, things: ["zsh"] },
  { of: /\/clients\/resumed/, things: ["wget", "curl", "aria2c", "HTTPie"] },
  { of: /\/processes\/silent-proxies/, things: ["nginx", "haproxy"] },
  { of: /hostile-windows/, things: ["Xvfb", "openbox", "twm", "xdotool", "chromium"] },
  { of: /\.long\.test/, things: "nginx haproxy caddy curl buildah podman bindfs postfix tinyproxy".split(" ") },
];

/** The test files that can run here, after installing what they need. What is missing is added to `skipped`. */
function runnable(specifications: TestSpecification[]): TestSpecification[] {
  const textOf = ({ project, moduleId }: TestSpecification) => `${project.name} ${moduleId}`;
  const cannotRun: RegExp[] = [];
  for (const { of, things, isVital } of NEEDS) {
    if (!specifications.some((one) => of.test(textOf(one)))) continue;
    const missing = things.filter((name) => !ensure(name));
    skipped.push(...missing.map((name) => `every test that needs ${name}: there is none, and none could be installed`));
    if (isVital && missing.length > 0) cannotRun.push(of);
  }
  return specifications.filter((one) => !cannotRun.some((of) => of.test(textOf(one))));
}

const { passed, failed } = await run();
const left = await leftBehind();
rmSync(folder, { recursive: true, force: true });

if (skipped.length > 0) loudly(`Skipped:\n  ${skipped.join("\n  ")}`);
if (failures.length > 0) loudly(`Failed:\n  ${failures.join("\n  ")}`);
if (left.length > 0)
  loudly(`Tests have left these folders behind, and perhaps the servers that use them:\n  ${left.join("\n  ")}`);
const isRefused = isCi && skipped.length > 0;
if (isRefused) console.error("Nothing may be skipped in CI.");
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || left.length > 0 || isRefused ? 1 : 0;
