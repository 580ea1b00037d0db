import { Worker } from "node:worker_threads";

/** What is wrong with a file of SQLite: its structure, and rows that refer to rows that are not there. */
export interface FileFaults {
  problems: string[];
  orphans: { table: string; parent: string }[];
}

// As a text, because it is bundled with whatever calls it.
const PROGRAM = `
const { parentPort, workerData } = require("node:worker_threads");
const database = require("better-sqlite3")(workerData.file, { readonly: true });
parentPort.postMessage({
  problems: database.prepare("SELECT integrity_check FROM pragma_integrity_check").pluck().all(),
  orphans: database.prepare('SELECT "table", "parent" FROM pragma_foreign_key_check LIMIT ?').all(workerData.most),
});
database.close();`;

/** Reads the whole file, in a thread of its own: a service would answer nobody meanwhile. At most `most` orphans. */
export function examineFile(file: string, most: number): Promise<FileFaults> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(PROGRAM, { eval: true, workerData: { file, most } });
    worker.once("message", ({ problems, orphans }: FileFaults) =>
      resolve({ problems: problems.filter((problem) => problem !== "ok").slice(0, most), orphans }),
    );
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("The database file could not be read.")));
  });
}
