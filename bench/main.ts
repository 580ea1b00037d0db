// npm run bench: installs the peers, measures Latchkey beside them, prints the tables, and writes them into
// docs/benchmark.md, with its picture. With --only <text>: only the work whose name contains it; nothing is written.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { ensure, installPackage } from "@/scripts/install";
import { startPostgres } from "@/scripts/postgres";
import { compareFiles } from "./files";
import { commit, load, machine } from "./machine";
import { nginxProgram } from "./peers/nginx";
import { publish, tableOf } from "./report";
import type { Comparison } from "./rounds";
import { compareRows } from "./rows";
import type { Database } from "./service";
import { measureStart } from "./start";

const EFFORT = { rounds: 5, seconds: 1, connections: 32 };
const STARTS = 5;
/** MB of the documents that are read. */
const DOCUMENTS = [10, 100, 1000];
const FILE_ROUNDS = 3;

const { values: options } = parseArgs({ options: { only: { type: "string" } } });
const isSelected = (work: string) => work.includes(options.only ?? "");

installPeers();
execFileSync(process.execPath, ["scripts/build.mjs"], { stdio: "inherit" });
if (!ensure("PostgreSQL")) throw new Error("There is no PostgreSQL, and none could be installed.");
if (!nginxProgram() && !(installPackage("nginx-light") && nginxProgram()))
  throw new Error("There is no nginx, and none could be installed.");

const began = Date.now();
const loadBefore = load();
const start = options.only === undefined ? await measureStart(STARTS) : undefined;
const comparisons: Comparison[] = [];
await compareOn("sqlite", DOCUMENTS);
const postgres = await startPostgres();
try {
  await compareOn({ postgres: postgres.url }, [100]);
} finally {
  await postgres.stop();
}
const minutes = Math.round((Date.now() - began) / 60_000);
if (start)
  publish(
    `${new Date().toISOString().slice(0, 10)}, commit ${commit()}, on ${machine()}; ${minutes} minutes, ` +
      `at a load average of ${loadBefore} before and ${load()} after.`,
    start,
    comparisons,
  );

/** Compares the work on one database, and prints the results. */
async function compareOn(database: Database, documents: number[]): Promise<void> {
  const results = [
    ...(await compareRows(database, EFFORT, isSelected)),
    ...(await compareFiles(database, documents, { rounds: FILE_ROUNDS, isSelected })),
  ];
  for (const comparison of results) console.log(`\n${tableOf(comparison)}`);
  comparisons.push(...results);
}

/** They have their own package.json, so that the service stays light. */
function installPeers(): void {
  const versions = (path: string) =>
    existsSync(path) &&
    JSON.stringify(JSON.parse(readFileSync(path, "utf8")).packages["node_modules/better-auth"]?.version);
  if (versions("bench/node_modules/.package-lock.json") === versions("bench/package-lock.json")) return;
  console.log("Installing what Latchkey is compared with…");
  execFileSync("npm", ["ci", "--prefix", "bench", "--no-audit", "--no-fund"], { stdio: "inherit" });
}
