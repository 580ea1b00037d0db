import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { migrateSqlite } from "@/lib/platform/db/migrate";

/** Migrates one SQLite file; each test process gets a copy. */
export default async function setup(project: TestProject): Promise<void> {
  const template = join(project.getProvidedContext().scratch, "template.db");
  await migrateSqlite(template);
  project.provide("database", { kind: "sqlite", template });
  project.provide("authSecret", randomBytes(32).toString("base64url"));
}
