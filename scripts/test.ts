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
import {
  CLUSTER_PACKAGES,
  ensureBrowser,
  ensureCluster,
  ensureDesktop,
  ensurePgBouncer,
  ensurePostgres,
  ensureProgram,
  ensurePython,
  loudly,
} from "./install";

const options = ["--all", "--long"];
const filters = process.argv.slice(2).filter((argument) => !options.includes(argument));
const isLong = process.argv.includes("--long");
const isAll = process.argv.includes("--all") || filters.length > 0;
if (isLong) process.env.TEST_SIZE = "long";
/** What `npm test` runs: it needs nothing but Node.js and a browser. */
const SOON = ["unit", "unit-alone", "sqlite", "sqlite-alone", "direct-sqlite", "browser"];
/** What of these takes seconds: with --all only. */
const LATER = Object.entries({
  account: ["audit-search", "resealing", "statistics"],
  auth: ["secret-files", "secrets", "sign-in"],
  backup: ["backup", "doctor", "hostile", "portable"],
  contract: ["actions", "console-secrets", "odd-requests"],
  db: ["migrate", "private-files"],
  files: [
    "change-many",
    "deletions",
    "documents",
    "import",
    "json-scanner",
    "paging",
    "quota",
    "sealed",
    "writers",
    "zip",
  ],
  link: ["races", "wait"],
  mail: ["recovery", "sending", "verification"],
  network: ["blocked"],
  recovery: ["links", "ways-in"],
})
  .flatMap(([folder, files]) => files.map((file) => `/tests/${folder}/${file}.`))
  .concat("/tests/clients/", "/tests/durability/");
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
    project.name === "browser" ? JOURNEYS.test(moduleId) : !LATER.some((file) => moduleId.includes(file));
  const selected = isLong ? specifications.filter(isLonger) : isAll ? specifications : specifications.filter(isSoon);
  const chosen = runnable(selected, skipped);
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

/** What projects need, by their names. */
const NEEDS = [
  {
    projects: /postgresql|^processes$|^browser$/,
    ensure: ensurePostgres,
    what: "PostgreSQL",
    how: "Install it, or name a server in TEST_DATABASE_URL.",
  },
  { projects: /pgbouncer/, ensure: ensurePgBouncer, what: "PgBouncer", how: "Install it: the program is pgbouncer." },
  {
    projects: /browser/,
    ensure: ensureBrowser,
    what: "a browser",
    how: "Install Chromium, or run: npx playwright install chromium",
  },
];

/** What single files need in addition, by a part of their path. */
const PROGRAMS: { path: string; programs: string[] }[] = [
  { path: "readme", programs: ["zsh"] },
  { path: "clients/resumed", programs: ["wget", "curl", "aria2c", "http"] },
  { path: "silent-proxies", programs: ["nginx", "haproxy"] },
  { path: "processes/edges", programs: ["nginx", "haproxy", "ip"] },
  {
    path: ".long.test",
    programs: ["nginx", "haproxy", "caddy", "curl", "buildah", "podman", "bindfs", "postfix", "tinyproxy"],
  },
];

/** The Debian packages of programs with another name. */
const PACKAGES: Record<string, string> = { ip: "iproute2", aria2c: "aria2", http: "httpie" };

/** The test files that can run here, after installing what they need. What cannot is added to `skipped`. */
function runnable(specifications: TestSpecification[], skipped: string[]): TestSpecification[] {
  function doWithout(what: string, how: string) {
    loudly(`GOING ON WITHOUT ${what.toUpperCase()}. ${how}`);
    skipped.push(`every test that needs ${what}: there is none, and none could be installed`);
  }
  const missing = NEEDS.filter(
    ({ projects, ensure }) => specifications.some(({ project }) => projects.test(project.name)) && !ensure(),
  );
  for (const { what, how } of missing) doWithout(what, how);
  for (const { path, programs } of PROGRAMS)
    if (specifications.some(({ moduleId }) => moduleId.includes(path)))
      for (const program of programs)
        if (!ensureProgram(program, PACKAGES[program])) doWithout(program, `Install the package ${program}.`);
  if (specifications.some(({ moduleId }) => moduleId.includes("/clients/")) && !ensurePython())
    doWithout("Python", "Install the packages python3-cryptography, python3-pip, python3-venv and mypy.");
  if (specifications.some(({ moduleId }) => moduleId.includes("hostile-windows")) && !ensureDesktop())
    doWithout("a desktop", "Install the packages xvfb, openbox, twm, xdotool and chromium.");
  const isCluster = ({ moduleId }: TestSpecification) => moduleId.includes("/cluster/");
  const noCluster = specifications.some(isCluster) && !ensureCluster();
  if (noCluster)
    doWithout("Patroni, etcd, HAProxy and PgBouncer", `Install ${Object.keys(CLUSTER_PACKAGES).join(", ")}.`);
  return specifications.filter(
    (specification) =>
      !(noCluster && isCluster(specification)) &&
      !missing.some(({ projects }) => projects.test(specification.project.name)),
  );
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
