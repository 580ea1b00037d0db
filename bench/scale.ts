// npm run scale -- --users 10000,100000,1000000 --database sqlite,postgresql
// Fills each database at each size, measures every route, page, sweep, migration, backup and start there, and prints a
// table. It writes bench/scale.json, docs/scaling.svg and the table in docs/scaling.md. With --draw it only draws
// what bench/scale.json has. What was measured before at other sizes stays.
import { mkdirSync, rmSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { upToDateBuild } from "@/scripts/builds.mjs";
import { dropDatabases, startPostgres } from "@/scripts/postgres";
import { freePort } from "@/scripts/scratch-server";
import { run, startServer, typescript } from "./child";
import { load, machine } from "./machine";
import { type Measurement, summary } from "./scale/figures";
import { readKept, writeDocuments, writeKept } from "./scale/kept";
import { checkRoom, readSizes, sizeOf } from "./scale/size";
import { scratch } from "./scratch";
import { type Database, emptyStorage } from "./service";

const DATABASES = ["sqlite", "postgresql"] as const;
/** A quarter of 4 GB, which is little for a million users. The library counts the pages that statements look at. */
const POSTGRES = ["shared_buffers=1GB", "max_wal_size=4GB", "shared_preload_libraries=pg_stat_statements"];
const STARTS = 3;

try {
  const { values } = parseArgs({
    options: {
      users: { type: "string", default: "10000,100000,1000000" },
      database: { type: "string", default: DATABASES.join() },
      draw: { type: "boolean" },
    },
  });
  if (!values.draw) await measureAll(readDatabases(values.database), readSizes(values.users));
  console.log(writeDocuments(readKept()));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

function readDatabases(typed: string): (typeof DATABASES)[number][] {
  const named = typed.split(",");
  if (named.some((name) => !DATABASES.some((known) => known === name)))
    throw new Error(`--database must be ${DATABASES.join(", ")}, or both separated by a comma.`);
  return DATABASES.filter((name) => named.includes(name));
}

async function measureAll(databases: (typeof DATABASES)[number][], sizes: number[]): Promise<void> {
  const { bavail, bsize } = await statfs(tmpdir());
  checkRoom(Math.max(...sizes), bavail * bsize);
  const build = await upToDateBuild();
  for (const database of databases) {
    const server = database === "postgresql" ? await startPostgres(POSTGRES) : undefined;
    try {
      for (const users of sizes) {
        writeKept(await measure(server ? { postgres: server.url } : "sqlite", users, build), machine());
        if (server) await dropDatabases(server.url, "bench_");
      }
    } finally {
      await server?.stop();
    }
  }
}

async function measure(database: Database, users: number, build: string): Promise<Measurement> {
  const name = database === "sqlite" ? "SQLite" : "PostgreSQL";
  console.error(`${name}, ${users.toLocaleString("en")} users`);
  const storage = await emptyStorage(database);
  mkdirSync(storage.DATA_DIR ?? "", { recursive: true });
  const metered = { ...storage, METRICS_TOKEN: "of nobody but this benchmark", DATABASE_TIMEOUT_SECONDS: "600" };
  const environment = { ...metered, LOG_LEVEL: "silent", NODE_OPTIONS: "--max-old-space-size=4096" };
  const output = await run(typescript("bench/scale/measure.ts", String(users)), { environment });
  const { rows, facts }: Pick<Measurement, "rows" | "facts"> = JSON.parse(output);
  const starts = await measureStarts(storage, build);
  rmSync(storage.DATA_DIR ?? scratch, { recursive: true, force: true });
  const all = [...rows, summary("start to first response", starts)];
  return { database: name, size: sizeOf(users), rows: all, facts: { ...facts, load: load() } };
}

/** Milliseconds from the start of the process, as built, until it answers that it is ready. */
async function measureStarts(storage: Record<string, string>, build: string): Promise<number[]> {
  const starts: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const port = String(await freePort());
    const url = `http://127.0.0.1:${port}`;
    const environment = { ...storage, BUILD_DIR: build, HOST: "127.0.0.1", PORT: port, NEXTAUTH_URL: url };
    const began = performance.now();
    const parameters = [join(build, "server.mjs")];
    const server = await startServer({ name: "latchkey-at-size", parameters, environment, url, ready: "/ready" });
    starts.push(performance.now() - began);
    await server.stop();
  }
  return starts;
}
