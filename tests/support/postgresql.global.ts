import { randomBytes } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import type { TestProject } from "vitest/node";
import { applyTo } from "@/lib/db/migrate";
import { createDatabase, dropDatabase } from "@/scripts/postgres";
import { acquirePostgres } from "./postgres";
import { testSecret } from "./secret";

/** Migrates one database, of which each test file gets a copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, release } = await acquirePostgres();
  const template = `latchkey_test_${randomBytes(6).toString("hex")}`;
  await applyTo("postgresql", new PrismaPg({ connectionString: await createDatabase(url, template) }));
  project.provide("database", { kind: "postgresql", server: url, template });
  project.provide("authSecret", testSecret());
  return async () => {
    await dropDatabase(url, template);
    await release();
  };
}
