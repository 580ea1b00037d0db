import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { migratePostgres, migrateSqlite } from "@/lib/platform/db/migrate";
import { createDatabase, dropDatabases } from "@/scripts/postgres";
import { acquirePostgres } from "./databases";
import { type Service, startService, type Target } from "./service";

type Need = "scratch" | "build" | "sqlite" | "postgresql" | "service";

declare module "vitest" {
  interface ProvidedContext {
    /** What vitest.config.ts says that a project needs, in this order. */
    needs: readonly Need[];
    /** The folder for what its processes store. They are killed at their end, and can remove nothing. */
    scratch: string;
    database: { kind: "sqlite"; template: string } | { kind: "postgresql"; server: string; template: string };
    authSecret: string;
    target: Target;
    service: Service;
    quotas: typeof QUOTAS;
  }
}

/** What the tests of a project need of this machine: started before them, and ended after them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const endings: (() => unknown)[] = [];
  const end = async () => {
    for (const one of endings.splice(0)) await one();
  };
  try {
    for (const need of project.getProvidedContext().needs) {
      const ending = await LAB[need](project);
      if (ending) endings.unshift(ending);
    }
  } catch (error) {
    await end();
    throw error;
  }
  return end;
}

/** One build for all projects of a run: each project has its own copy of this module. */
const perProcess = globalThis as typeof globalThis & { latchkeyTestBuild?: Promise<unknown> };

const LAB: Record<Need, (project: TestProject) => Promise<(() => unknown) | undefined>> = {
  async scratch(project) {
    const scratch = mkdtempSync(join(tmpdir(), "latchkey-test-"));
    project.provide("scratch", scratch);
    return () => rmSync(scratch, { recursive: true, force: true });
  },

  async build() {
    perProcess.latchkeyTestBuild ??= promisify(execFile)(process.execPath, ["scripts/build.mjs"]);
    await perProcess.latchkeyTestBuild;
    return undefined;
  },

  /** A migrated file; each test process gets a copy. */
  async sqlite(project) {
    const template = join(project.getProvidedContext().scratch, "template.db");
    await migrateSqlite(template);
    project.provide("database", { kind: "sqlite", template });
    project.provide("authSecret", randomBytes(32).toString("base64url"));
    return undefined;
  },

  /** A migrated database, of which each test process gets a copy. */
  async postgresql(project) {
    const { url, release } = await acquirePostgres();
    const template = `latchkey_test_${randomBytes(6).toString("hex")}`;
    await migratePostgres({ connectionString: await createDatabase(url, template) });
    project.provide("database", { kind: "postgresql", server: url, template });
    project.provide("authSecret", randomBytes(32).toString("base64url"));
    return async () => {
      await dropDatabases(url, template);
      await release();
    };
  },

  async service(project) {
    const quotas = Object.fromEntries(Object.entries(QUOTAS).map(([name, value]) => [name, String(value)]));
    const { stop, ...it } = await startService(project.getProvidedContext().target, quotas);
    const { url, eachUrl, storage, metricsToken, cronSecret, logFile, knowsNetworks, isOnVercel, isOneProcess } = it;
    const told = { url, eachUrl, storage, metricsToken, cronSecret, logFile, knowsNetworks, isOnVercel, isOneProcess };
    project.provide("service", told);
    project.provide("quotas", QUOTAS);
    // Some files ask nothing but /ready, of which there is no line.
    await fetch(`${url}/me`);
    return async () => {
      const faults = logFaults(readFileSync(logFile, "utf8"));
      await stop();
      if (faults.length === 0) return;
      // Vitest only prints what a teardown throws.
      process.exitCode = 1;
      throw new Error(`The service logged what nobody may read there:\n${faults.slice(0, 20).join("\n")}`);
    };
  },
};

const QUOTAS = {
  HOLDERS_PER_KEY: 300,
  KEYS_HELD_FROM_OTHERS: 100,
};

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
