import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** One build for all projects of a run: each project has its own copy of this module. */
const perProcess = globalThis as typeof globalThis & { latchkeyTestBuild?: Promise<unknown> };

export default async function setup(): Promise<void> {
  perProcess.latchkeyTestBuild ??= promisify(execFile)(process.execPath, ["scripts/build.mjs"]);
  await perProcess.latchkeyTestBuild;
}
