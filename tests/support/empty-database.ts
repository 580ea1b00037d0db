import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { inject, onTestFinished } from "vitest";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { createDatabase, dropDatabase } from "@/scripts/postgres";

/** Variables for an empty database of the tested kind, and a separate data folder. It is removed when the test ends. */
export async function emptyDatabase(): Promise<{ DATA_DIR: string; DATABASE_URL?: string }> {
  const DATA_DIR = mkdtempSync(join(env.DATA_DIR, "empty-"));
  const database = inject("database");
  if (database.kind === "sqlite") return { DATA_DIR };
  const name = `latchkey_test_${newId().slice(0, 12)}`;
  onTestFinished(() => dropDatabase(database.server, name));
  return { DATA_DIR, DATABASE_URL: await createDatabase(database.server, name) };
}
