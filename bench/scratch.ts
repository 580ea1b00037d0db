import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The folder of this run's databases, documents and logs; it is removed at the end. */
export const scratch = mkdtempSync(join(tmpdir(), "latchkey-bench-"));
process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));
