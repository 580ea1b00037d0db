import { randomBytes } from "node:crypto";
import type { TestProject } from "vitest/node";
import { migratePostgres } from "@/lib/platform/db/migrate";
import { createDatabase, dropDatabases } from "@/scripts/postgres";
import { acquirePostgres } from "./databases";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, release } = await acquirePostgres();
  const template = `latchkey_test_${randomBytes(6).toString("hex")}`;
  await migratePostgres({ connectionString: await createDatabase(url, template) });
  project.provide("database", { kind: "postgresql", server: url, template });
  project.provide("authSecret", randomBytes(32).toString("base64url"));
  return async () => {
    await dropDatabases(url, template);
    await release();
  };
}
