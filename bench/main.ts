// npm run bench: installs the peers, measures Latchkey beside them, prints tables, and writes bench/results.json and
// bench/plot.svg. With --quick: under two minutes, smaller and fewer, and nothing is written. With --only <text>: only
// the work on rows and files whose name contains it, and nothing is written.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { startPostgres } from "@/scripts/postgres";
import { formerResults, RESULTS } from "./former";
import { load, machine } from "./machine";
import { measureConnections } from "./parts/connections";
import { compareFiles, type FilesComparison } from "./parts/files";
import { measureGrowth } from "./parts/growth";
import { type Comparison, compareRows } from "./parts/rows";
import { measureStart } from "./parts/start";
import { plot } from "./plot";
import { prepare } from "./prepare";
import type { Database } from "./service";
import { filesTable, plainTable, ratiosTable, rowsTable } from "./table";

const { values: options } = parseArgs({ options: { quick: { type: "boolean" }, only: { type: "string" } } });
const isQuick = options.quick === true;
const isPart = options.only !== undefined;
const isWanted = (work: string) => work.includes(options.only ?? "");
const effort = isQuick
  ? {
      starts: 1,
      rows: { rounds: 1, seconds: 0.3, connections: 32 },
      fileSizes: [10],
      fileRounds: 1,
      keys: [100, 10_000],
      connections: [1, 32],
      seconds: 0.3,
      rounds: 1,
    }
  : {
      starts: 5,
      rows: { rounds: 3, seconds: 2, connections: 32 },
      fileSizes: [10, 100, 1000],
      fileRounds: 3,
      keys: [100, 10_000, 1_000_000],
      connections: [1, 4, 16, 64, 256],
      seconds: 1,
      rounds: 3,
    };

const { hasPostgres, missing } = await prepare();
const started = Date.now();
const loadBefore = load();
const seconds = () => Math.round((Date.now() - started) / 1000);
const show = (text: string) => console.log(`\n${text}`);

const rows: Comparison[] = [];
const files: FilesComparison[] = [];

/** Compares the work on one database, and shows the results. */
async function compareOn(database: Database, fileSizes: number[]): Promise<void> {
  const compared = await compareRows(database, effort.rows, isWanted);
  compared.forEach((comparison) => void show(rowsTable(comparison)));
  rows.push(...compared);
  const comparedFiles = await compareFiles(database, fileSizes, effort.fileRounds, isWanted);
  comparedFiles.forEach((comparison) => void show(filesTable(comparison)));
  files.push(...comparedFiles);
}

const start = isPart ? undefined : await measureStart(effort.starts);
if (start)
  show(
    plainTable([
      {
        "start, s": start.toFirstAnswer,
        "idle memory, MB": start.idleMemoryMB,
        "/keys/mine with 10,000 keys, s": start.tenThousandKeys,
      },
    ]),
  );

await compareOn("sqlite", effort.fileSizes);
if (hasPostgres) {
  const postgres = await startPostgres();
  try {
    await compareOn({ postgres: postgres.url }, isQuick ? [] : [100]);
  } finally {
    await postgres.stop();
  }
}

const growth = isPart ? [] : await measureGrowth(effort.keys, effort.rounds, effort.seconds);
const connections = isPart ? [] : await measureConnections(effort.connections, effort.rounds, effort.seconds);
if (!isPart) {
  show(plainTable(growth.map((row) => ({ ...row }))));
  show(
    plainTable(
      connections.map(({ connections, ours, floor }) => ({
        connections,
        "Latchkey, requests/s": ours.requestsPerSecond,
        "p50 ms": ours.p50,
        "node:http, requests/s": floor.requestsPerSecond,
        "its p50 ms": floor.p50,
      })),
    ),
  );
}

const about = {
  at: new Date().toISOString(),
  machine: machine(),
  load: { before: loadBefore, after: load() },
  seconds: seconds(),
  effort,
  missing,
};
show(
  `${seconds()} s on ${about.machine.cores} cores (${about.machine.cpu}); load average ${loadBefore} ` +
    `before and ${about.load.after} after.`,
);
for (const what of missing) show(`*** There was no ${what}.`);
const former = formerResults();
if (!isQuick && !isPart) {
  writeFileSync(RESULTS, `${JSON.stringify({ about, start, rows, files, growth, connections }, null, 2)}\n`);
  writeFileSync("bench/plot.svg", plot(connections, growth));
  show(`Written: ${RESULTS} and bench/plot.svg.`);
}
if (former && !isQuick) show(ratiosTable(former, [...rows, ...files]));
