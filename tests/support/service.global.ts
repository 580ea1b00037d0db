import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { type Service, startService, type Target } from "./service";

declare module "vitest" {
  interface ProvidedContext {
    target: Target;
    service: Service;
  }
}

/** One build for all projects of a run: each project has its own copy of this module. */
const perProcess = globalThis as typeof globalThis & { latchkeyTestBuild?: Promise<unknown> };

/** Starts the service that the tests of a project speak to. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  perProcess.latchkeyTestBuild ??= promisify(execFile)(process.execPath, ["scripts/build.mjs"]);
  await perProcess.latchkeyTestBuild;
  const service = await startService(project.getProvidedContext().target);
  const { url, storage, logFile, knowsNetworks } = service;
  project.provide("service", { url, storage, logFile, knowsNetworks });
  return service.stop;
}
