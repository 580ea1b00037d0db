import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

// A data folder and a secret that are nobody's, set before anything of lib/ is imported.
const folder = mkdtempSync(join(tmpdir(), "latchkey-test-"));
delete process.env.DATABASE_URL;
Object.assign(process.env, { DATA_DIR: folder, LOG_LEVEL: "silent" });

afterAll(() => rmSync(folder, { recursive: true, force: true }));
