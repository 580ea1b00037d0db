import { randomBytes } from "node:crypto";
import { copyFileSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { createDatabase } from "@/scripts/postgres";

declare module "vitest" {
  interface ProvidedContext {
    database: { kind: "sqlite"; template: string } | { kind: "postgresql"; server: string; template: string };
    authSecret: string;
  }
}

/** Test files that share a process share its database: this file runs again for each. */
const perProcess = globalThis as typeof globalThis & { latchkeyTestDatabase?: Promise<void> };
perProcess.latchkeyTestDatabase ??= ownCopy();
await perProcess.latchkeyTestDatabase;

/** A migrated database for this process, set in the environment before importing anything from lib/. */
async function ownCopy(): Promise<void> {
  const database = inject("database");
  const DATA_DIR = mkdtempSync(join(inject("scratch"), "data-"));
  Object.assign(process.env, { DATA_DIR, AUTH_SECRET: inject("authSecret"), LOG_LEVEL: "silent" });
  if (database.kind === "sqlite") {
    delete process.env.DATABASE_URL;
    copyFileSync(database.template, join(DATA_DIR, "latchkey.db"));
  } else {
    const name = `${database.template}_${randomBytes(6).toString("hex")}`;
    process.env.DATABASE_URL = await createDatabase(database.server, name, database.template);
  }
}
