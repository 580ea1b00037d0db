import { randomBytes } from "node:crypto";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, inject } from "vitest";
import { createDatabase, dropDatabase } from "@/scripts/postgres";

declare module "vitest" {
  interface ProvidedContext {
    database: { kind: "sqlite"; template: string } | { kind: "postgresql"; server: string; template: string };
    authSecret: string;
  }
}

// Each test file gets a migrated database of its own. The environment is set here, before anything of lib/ is imported.
const database = inject("database");
const folder = mkdtempSync(join(tmpdir(), "latchkey-test-"));
const name = `latchkey_test_${randomBytes(6).toString("hex")}`;
Object.assign(process.env, { DATA_DIR: folder, AUTH_SECRET: inject("authSecret"), LOG_LEVEL: "silent" });
if (database.kind === "sqlite") {
  delete process.env.DATABASE_URL;
  copyFileSync(database.template, join(folder, "latchkey.db"));
} else {
  process.env.DATABASE_URL = await createDatabase(database.server, name, database.template);
}

afterAll(async () => {
  const { closeDatabase } = await import("@/lib/db/client");
  await closeDatabase();
  if (database.kind === "postgresql") await dropDatabase(database.server, name);
  rmSync(folder, { recursive: true, force: true });
});
