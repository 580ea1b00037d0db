// npm test [path …]: run before proposing a change; or only the test files whose path contains one of the arguments
// npm run test:all [path …]: the same at full size, and the whole contract on every lane and database
// npm run test:long [path …]: gigabytes, kill loops, images
// tests/README.md says which tests these are.

import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createVitest, type TestModule, type TestSpecification } from "vitest/node";
import {
  CLUSTER_PACKAGES,
  ensureBrowser,
  ensureCluster,
  ensurePgBouncer,
  ensurePostgres,
  ensureProgram,
  ensurePython,
  ensureRedis,
  loudly,
} from "./install";

const options = ["--all", "--long"];
const filters = process.argv.slice(2).filter((argument) => !options.includes(argument));
const isLong = process.argv.includes("--long");
if (process.argv.includes("--all")) process.env.TEST_SIZE = "heavy";
const isCi = Boolean(process.env.CI) && process.env.CI !== "false";
const skipped: string[] = [];
const flaky: string[] = [];

function doWithout(what: string, how: string) {
  loudly(`GOING ON WITHOUT ${what.toUpperCase()}. ${how}`);
  skipped.push(`every test that needs ${what}: there is none, and none could be installed`);
}

/** A project's name says what it needs. */
const NEEDS = [
  {
    word: "postgresql",
    ensure: ensurePostgres,
    what: "PostgreSQL",
    how: "Install it, or name a server in TEST_DATABASE_URL.",
  },
  { word: "redis", ensure: ensureRedis, what: "Redis", how: "Install it: the program is redis-server." },
  { word: "pgbouncer", ensure: ensurePgBouncer, what: "PgBouncer", how: "Install it: the program is pgbouncer." },
  {
    word: "browser",
    ensure: ensureBrowser,
    what: "a browser",
    how: "Install Chromium, or run: npx playwright install chromium",
  },
];

/** What single files need in addition, by a part of their path. */
const PROGRAMS = [
  { path: "readme", programs: ["zsh"] },
  { path: ".long.test", programs: ["nginx", "haproxy", "caddy", "curl", "buildah", "podman"] },
];

/** The test files that can run here, after installing what they need. */
function runnable(specifications: TestSpecification[]): TestSpecification[] {
  const missing = NEEDS.filter(
    ({ word, ensure }) => specifications.some(({ project }) => project.name.includes(word)) && !ensure(),
  );
  for (const { what, how } of missing) doWithout(what, how);
  for (const { path, programs } of PROGRAMS)
    if (specifications.some(({ moduleId }) => moduleId.includes(path)))
      for (const program of programs)
        if (!ensureProgram(program)) doWithout(program, `Install the package ${program}.`);
  if (specifications.some(({ moduleId }) => moduleId.includes("clients/python")) && !ensurePython())
    doWithout("Python", "Install the packages python3-pip, python3-venv and mypy.");
  const isCluster = ({ moduleId }: TestSpecification) => moduleId.includes("high-availability");
  const noCluster = specifications.some(isCluster) && !ensureCluster();
  if (noCluster)
    doWithout("Patroni, etcd, HAProxy and PgBouncer", `Install ${Object.keys(CLUSTER_PACKAGES).join(", ")}.`);
  return specifications.filter(
    (specification) =>
      !(noCluster && isCluster(specification)) &&
      !missing.some(({ word }) => specification.project.name.includes(word)),
  );
}

/** Everything temporary of this run. PostgreSQL, which does not run as root, has its data there too. */
const folder = mkdtempSync(join(tmpdir(), "latchkey-tests-"));
chmodSync(folder, 0o755);
process.env.TMPDIR = folder;

/** Runs the test files and returns the results. A file that could not run counts as one failure. */
async function run(): Promise<{ passed: number; failed: number }> {
  const project = isLong ? ["long"] : ["!long"];
  const vitest = await createVitest("test", { project, run: true, watch: false, retry: isCi ? 1 : 0 });
  await vitest.standalone();
  await vitest.runTestSpecifications(runnable(await vitest.globTestSpecifications(filters)), true);
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
    else if (state === "failed") failed++;
    else skipped.push(`${testModule.project.name}: ${test.fullName}`);
  }
  results.failed += testModule.ok() ? failed : Math.max(1, failed);
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
if (left.length > 0)
  loudly(`Tests have left these folders behind, and perhaps the servers that use them:\n  ${left.join("\n  ")}`);
const isRefused = isCi && skipped.length > 0;
if (isRefused) console.error("Nothing may be skipped in CI.");
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || left.length > 0 || isRefused ? 1 : 0;
