import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { applyTo } from "@/lib/db/migrate";
import { sqlite } from "@/lib/db/sqlite";
import { testSecret } from "./secret";

/** Migrates one SQLite file, of which each test file gets a copy. */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-test-"));
  const file = join(folder, "template.db");
  await applyTo("sqlite", sqlite(file));
  project.provide("database", { kind: "sqlite", template: file });
  project.provide("authSecret", testSecret());
  return () => rmSync(folder, { recursive: true, force: true });
}
