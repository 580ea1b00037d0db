import { readFileSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { logFaults } from "./log-faults";
import { type Service, startService, type Target } from "./service";

declare module "vitest" {
  interface ProvidedContext {
    target: Target;
    service: Service;
    quotas: typeof QUOTAS;
  }
}

const QUOTAS = {
  KEYS_PER_CREATOR: 1_000,
  KEY_BYTES_PER_CREATOR: 1_000_000,
  HOLDERS_PER_KEY: 300,
  KEYS_HELD_FROM_OTHERS: 100,
};

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const quotas = Object.fromEntries(Object.entries(QUOTAS).map(([name, value]) => [name, String(value)]));
  const service = await startService(project.getProvidedContext().target, quotas);
  const { url, eachUrl, storage, metricsToken, cronSecret, logFile, knowsNetworks, isOnVercel, isOneProcess } = service;
  const told = { url, eachUrl, storage, metricsToken, cronSecret, logFile, knowsNetworks, isOnVercel, isOneProcess };
  project.provide("service", told);
  project.provide("quotas", QUOTAS);
  return async () => {
    const faults = logFaults(readFileSync(logFile, "utf8"));
    await service.stop();
    if (faults.length === 0) return;
    // Vitest only prints what a teardown throws.
    process.exitCode = 1;
    throw new Error(`The service logged what nobody may read there:\n${faults.slice(0, 20).join("\n")}`);
  };
}
