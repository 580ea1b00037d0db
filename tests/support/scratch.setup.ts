import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";

// A temporary data folder, set before importing anything from lib/. Test files that share a process share it.
const perProcess = globalThis as typeof globalThis & { latchkeyTestFolder?: string };
perProcess.latchkeyTestFolder ??= mkdtempSync(join(inject("scratch"), "data-"));
delete process.env.DATABASE_URL;
Object.assign(process.env, { DATA_DIR: perProcess.latchkeyTestFolder, LOG_LEVEL: "silent" });
