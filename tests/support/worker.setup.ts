import { randomBytes } from "node:crypto";
import { copyFileSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, inject, type ProvidedContext } from "vitest";

// What a test process needs, by what its project has (lab.ts), set before importing anything from lib/. This file runs
// again for each test file: those that share a process share its folder and its database.

const given = <Name extends keyof ProvidedContext>(name: Name): ProvidedContext[Name] | undefined => inject(name);
const [service, database, scratch] = [given("service"), given("database"), given("scratch")];
const perProcess = globalThis as typeof globalThis & { latchkeyTestFolder?: string; latchkeyTestCopy?: Promise<void> };

if (service) {
  // makeUser() writes to the database of the service under test.
  delete process.env.DATABASE_URL;
  Object.assign(process.env, service.storage, { LOG_LEVEL: "silent" });
  (await import("./http")).enterNetwork();
} else if (scratch) {
  perProcess.latchkeyTestFolder ??= mkdtempSync(join(scratch, "data-"));
  if (database?.kind !== "postgresql") delete process.env.DATABASE_URL;
  Object.assign(process.env, { DATA_DIR: perProcess.latchkeyTestFolder, LOG_LEVEL: "silent" });
  if (database) perProcess.latchkeyTestCopy ??= ownCopy(database, perProcess.latchkeyTestFolder);
  await perProcess.latchkeyTestCopy;
}

/** A migrated database for this process. */
async function ownCopy(database: ProvidedContext["database"], folder: string): Promise<void> {
  process.env.AUTH_SECRET = inject("authSecret");
  if (database.kind === "sqlite") copyFileSync(database.template, join(folder, "latchkey.db"));
  else {
    const { createDatabase } = await import("@/scripts/postgres");
    const name = `${database.template}_${randomBytes(6).toString("hex")}`;
    process.env.DATABASE_URL = await createDatabase(database.server, name, database.template);
  }
}

// A test with unexpected output fails: the line is a mistake, or the test has not declared that it expects it.
const printed: string[] = [];
for (const method of ["debug", "log", "info", "warn", "error", "trace"] as const)
  console[method] = (...values: unknown[]) => {
    printed.push(`console.${method}(${values.map(String).join(", ")})\n${new Error().stack}`);
  };

function failIfPrinted() {
  const lines = printed.splice(0);
  if (lines.length > 0) throw new Error(`Unexpected output on the console:\n${lines.join("\n")}`);
}

afterEach(failIfPrinted);
afterAll(failIfPrinted);
