import { execFile } from "node:child_process";
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { test } from "vitest";
import { ownFolder } from "@/tests/support/place";
import { copyInstalledSources, nodeVersion } from "./fresh-checkout";

/** What runs here once more is what a binding to SQLite decides; checkouts.long.test.ts tries every version. */
const PROJECTS = ["sqlite", "direct-sqlite"];
const FILES = ["backup/backup", "db/queue.sqlite", "db/file.sqlite", "durability/disk-full", "durability/kill"].map(
  (name) => `tests/${name}.test.ts`,
);

const run = promisify(execFile);
const place = ownFolder("node-24");

/** An installation and a run of its own, on a machine that runs other tests meanwhile. */
const TIMEOUT_MS = 1_200_000;

test("under the current Node.js 24, what was acknowledged is kept, too", { timeout: TIMEOUT_MS }, async () => {
  const env = await nodeVersion(place, "24.21.0", "11");
  const cwd = join(place, "checkout");
  copyInstalledSources(cwd);
  cpSync("tests", join(cwd, "tests"), { recursive: true });
  // It exchanges the binding, and would write into this file, which is a link to ours.
  rmSync(join(cwd, "node_modules", ".package-lock.json"), { force: true });
  await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd, env });
  const build = join(".builds", readFileSync(join(".builds", "current"), "utf8").trim());
  for (const path of [build, join(".builds", "current")])
    cpSync(path, join(cwd, path), { recursive: true, verbatimSymlinks: true });
  const projects = PROJECTS.flatMap((name) => ["--project", name]);
  await run("node", ["node_modules/vitest/vitest.mjs", "run", ...projects, ...FILES], { cwd, env });
});
