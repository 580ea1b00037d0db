import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    scratch: string;
  }
}

/** The folder of a project for what its processes store. They are killed at their end, and can remove nothing. */
export default function setup(project: TestProject): () => void {
  const scratch = mkdtempSync(join(tmpdir(), "latchkey-test-"));
  project.provide("scratch", scratch);
  return () => rmSync(scratch, { recursive: true, force: true });
}
