// npm test [path …]       everything but tests/long, or only the test files whose path contains one of the arguments
// npm run test:long [path …]   tests/long: gigabytes, kill loops, soaks

import { startVitest, type TestModule } from "vitest/node";
import { projectNames } from "@/vitest.config";
import { ensureBrowser, ensurePgBouncer, ensurePostgres, ensureProgram, ensureRedis, loudly } from "./install";

const filters = process.argv.slice(2).filter((argument) => argument !== "--long");
const isLong = process.argv.includes("--long");
const isCi = Boolean(process.env.CI) && process.env.CI !== "false";
const skipped: string[] = [];

function doWithout(what: string, how: string) {
  loudly(`GOING ON WITHOUT ${what.toUpperCase()}. ${how}`);
  skipped.push(`every test that needs ${what}: there is none, and none could be installed`);
}

/** Runs the projects and answers what came of each test. A file that could not run counts as one failure. */
async function run(project: string[]): Promise<{ passed: number; failed: number }> {
  const vitest = await startVitest("test", filters, { project, run: true, watch: false, passWithNoTests: false });
  const results = { passed: 0, failed: vitest.state.getUnhandledErrors().length };
  for (const testModule of vitest.state.getTestModules()) count(testModule, results);
  await vitest.close();
  // Where the preparations fail, no test is known of.
  if (results.passed === 0) results.failed ||= 1;
  return results;
}

function count(testModule: TestModule, results: { passed: number; failed: number }) {
  let failed = 0;
  for (const test of testModule.children.allTests()) {
    const { state } = test.result();
    if (state === "passed") results.passed++;
    else if (state === "failed") failed++;
    else skipped.push(`${testModule.project.name}: ${test.fullName}`);
  }
  results.failed += testModule.ok() ? failed : Math.max(1, failed);
}

const isThere = { postgresql: ensurePostgres(), redis: ensureRedis(), pgbouncer: ensurePgBouncer(), browser: ensureBrowser() };
if (!isThere.postgresql) doWithout("PostgreSQL", "Install it, or name a server in TEST_DATABASE_URL.");
if (!isThere.redis) doWithout("Redis", "Install it: the program is redis-server.");
if (!isThere.pgbouncer) doWithout("PgBouncer", "Install it: the program is pgbouncer.");
if (!isThere.browser) doWithout("a browser", "Install Chromium, or run: npx playwright install chromium");
if (!ensureProgram("zsh")) doWithout("zsh", "Install it: tests paste the README's lines into it.");
if (isLong)
  for (const program of ["nginx", "haproxy", "caddy", "curl", "buildah", "podman"])
    if (!ensureProgram(program)) doWithout(program, `Install the package ${program}.`);
/** A project's name says what it needs. */
const canRun = (name: string) => Object.entries(isThere).every(([what, there]) => there || !name.includes(what));
const { passed, failed } = await run(isLong ? ["long"] : projectNames.filter(canRun));

if (skipped.length > 0) loudly(`Skipped:\n  ${skipped.join("\n  ")}`);
const isRefused = isCi && skipped.length > 0;
if (isRefused) console.error("Nothing may be skipped in CI.");
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || isRefused ? 1 : 0;
