import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { migrateSqlite } from "@/lib/db/migrate";
import { testSecret } from "./secret";

/** Migrates one SQLite file; each test process gets a copy. */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-test-"));
  const template = join(folder, "template.db");
  await migrateSqlite(template);
  project.provide("database", { kind: "sqlite", template, folder });
  project.provide("authSecret", testSecret());
  return () => rmSync(folder, { recursive: true, force: true });
}
