import { readFileSync } from "node:fs";
import type { TestProject } from "vitest/node";
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
  // Some files ask nothing but /ready, of which there is no line.
  await fetch(`${url}/me`);
  return async () => {
    const faults = logFaults(readFileSync(logFile, "utf8"));
    await service.stop();
    if (faults.length === 0) return;
    // Vitest only prints what a teardown throws.
    process.exitCode = 1;
    throw new Error(`The service logged what nobody may read there:\n${faults.slice(0, 20).join("\n")}`);
  };
}

const SECRETS: [what: string, pattern: RegExp][] = [
  ["a token", /lkt?_[A-Za-z0-9_-]{20}/],
  ["a password hash", /\$argon2/],
  ["a query", /[?&]\w+=/],
  ["an address", /https?:\/\/[^"\s]*\?/],
  ["a bearer token", /bearer [a-z0-9]/i],
  ["key data of a test", /(?:secret|data|more|bad)-[0-9a-f]{32}/],
  ["a statement with its values", /Invalid `|"(?:tokenSealed|tokenHash|codeHash|passwordHash)"/],
];

const FIELDS = ["level", "time", "id", "route", "method", "status", "ms", "userId"];
const ROUTE = /^(?:\/|\/[a-z0-9_./-]*(?:\{\w+\}|\[[\w.]+\])?|\(\w[\w ]*\))$/;

export function logFaults(text: string): string[] {
  const faults: string[] = [];
  let requests = 0;
  for (const line of text.split("\n")) {
    for (const [what, pattern] of SECRETS) if (pattern.test(line)) faults.push(`${what}: ${line.slice(0, 300)}`);
    if (!line.startsWith("{")) continue;
    const entry: Record<string, unknown> = JSON.parse(line);
    if (!("route" in entry)) continue;
    requests++;
    const strange = Object.keys(entry).filter((field) => !FIELDS.includes(field));
    if (strange.length > 0 || !ROUTE.test(String(entry.route))) faults.push(`a request's line: ${line.slice(0, 300)}`);
  }
  if (requests === 0) faults.push("no request has a line");
  return faults;
}
