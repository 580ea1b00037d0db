import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// A temporary data folder, set before importing anything from lib/. Test files that share a process share it.
const perProcess = globalThis as typeof globalThis & { latchkeyTestFolder?: string };
if (!perProcess.latchkeyTestFolder) {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-test-"));
  perProcess.latchkeyTestFolder = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}
delete process.env.DATABASE_URL;
Object.assign(process.env, { DATA_DIR: perProcess.latchkeyTestFolder, LOG_LEVEL: "silent" });
