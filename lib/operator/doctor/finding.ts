import { Worker } from "node:worker_threads";
import { counted, durationInWords, SWEEP_EVERY_MS } from "@/lib/platform/bounds";
import { isBesideData, secretLocation, secretSource } from "@/lib/platform/crypto/secret-source";
import { env } from "@/lib/platform/env";
import { HOUR_MS } from "@/lib/platform/time";

/** What a sweep left for so long shows that none runs. */
export const SWEPT_WITHIN_MS = HOUR_MS;
export const SWEEP_ADVICE =
  `Run sweep. The service does so every ${durationInWords(SWEEP_EVERY_MS / 1_000)}; ` +
  "on Vercel, the timer needs CRON_SECRET.";

type Check =
  | "settings"
  | "database"
  | "room"
  | "migrations"
  | "secrets"
  | "tokens"
  | "orphans"
  | "files"
  | "permissions"
  | "clock"
  | "proxies"
  | "sign-in"
  | "passkeys"
  | "mail"
  | "keys"
  | "sealing"
  | "sweep";

/** A problem, and what to do about it. */
export interface Fault {
  /** If it is another than what is being checked. */
  check?: Check;
  problem: string;
  advice: string;
}

export type Finding = Fault & { check: Check };

/** What a check found, under its name. */
export async function* named<Result>(
  check: Check,
  faults: AsyncGenerator<Fault, Result>,
): AsyncGenerator<Finding, Result> {
  for (;;) {
    const { done, value } = await faults.next();
    if (done) return value;
    yield { check, ...value };
  }
}

/** Findings per kind; more would add nothing. */
export const MAX_PER_KIND = 20;

/** The first items. What comes after them is not looked for. */
export async function* first<T>(max: number, items: AsyncIterable<T>): AsyncGenerator<T> {
  let count = 0;
  for await (const item of items) {
    yield item;
    if (++count === max) return;
  }
}

/** What a sweep should have deleted, if there is any. `words`: what one is called, and several. */
export function* forgotten(count: number, words: readonly [one: string, many: string]): Generator<Fault> {
  if (count > 0)
    yield {
      check: "sweep",
      problem: `${counted(count, ...words)} should have been deleted an hour ago.`,
      advice: SWEEP_ADVICE,
    };
}

const SOURCES = {
  AUTH_SECRET: "AUTH_SECRET",
  AUTH_SECRET_FILE: "AUTH_SECRET_FILE",
  credential: "a credential of systemd",
  container: "a secret of the container",
  "data folder": "a file of the data folder",
};

/** Where the secret is, and what that protects from, in one sentence. */
export function whereSecretIs(): string {
  const { from, file } = secretSource();
  const location = file ? `${secretLocation()} (${SOURCES[from]})` : SOURCES[from];
  return isBesideData()
    ? `The secret in ${location} is stored beside the data that it opens: anyone who takes the folder has both.`
    : `The secret comes from ${location}, separate from ${env.DATABASE_URL ? "the database" : "the data folder"}: ` +
        "without it, nobody who takes the data can read what is sealed.";
}

/** What is wrong with a file of SQLite: its structure, and rows that refer to rows that are not there. */
interface FileFaults {
  problems: string[];
  orphans: { table: string; parent: string }[];
}

// As a text, because it is bundled with whatever calls it.
const PROGRAM = `
const { parentPort, workerData } = require("node:worker_threads");
const database = require("better-sqlite3")(workerData.file, { readonly: true });
parentPort.postMessage({
  problems: database.prepare("SELECT integrity_check FROM pragma_integrity_check").pluck().all(),
  orphans: database.prepare('SELECT "table", "parent" FROM pragma_foreign_key_check LIMIT ?').all(workerData.max),
});
database.close();`;

/** Reads the whole file, in a thread of its own: a service would answer nobody meanwhile. At most `max` orphans. */
export function examineFile(file: string, max: number): Promise<FileFaults> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(PROGRAM, { eval: true, workerData: { file, max } });
    worker.once("message", ({ problems, orphans }: FileFaults) =>
      resolve({ problems: problems.filter((problem) => problem !== "ok").slice(0, max), orphans }),
    );
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("The database file could not be read.")));
  });
}
