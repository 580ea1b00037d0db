// Run in its own process: node --import tsx bench/scale/measure.ts <users>, with the environment of an empty database.
// Fills it, measures everything, and writes the results to standard output as JSON; progress goes to standard error.
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { sweepAll, sweepSealing } from "@/lib/account/sweep";
import { writeBackup } from "@/lib/backup/write";
import { closeDatabase } from "@/lib/db/client";
import { migrate } from "@/lib/db/migrate";
import { env } from "@/lib/env";
import { declareServer } from "@/lib/network";
import { serviceFacts } from "@/lib/operator/overview";
import { listFreshness } from "@/lib/operator/users/list";
import { openSeed, seedAll } from "@/scripts/seed-console/seed";
import { type Row, summary } from "./figures";
import { openPages } from "./page-counter";
import { consoleToMeasure, giveDocuments, pagesToMeasure } from "./pages";
import { type Measured, routesToMeasure } from "./routes";
import { findSamples, type Sample } from "./samples";
import { sizeOf } from "./size";

/** Every route and page runs so often for each sample. */
const PASSES = 2;
/** Calls before the first that is measured. */
const WARM_UP = 10;

const [users = 0] = process.argv.slice(2).map(Number);
const size = sizeOf(users);
declareServer();

const say = (text: string) => process.stderr.write(`  ${text}\n`);
const rows: Row[] = [];
const pages = await openPages();

/** Milliseconds that a work took. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Milliseconds of processor time that this process and its threads have used. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const found = new Map<string, { taken: number[]; processor: number; pages: number }>();

/** Adds to what is known of something: the times of its calls, and the processor time and pages of all of them. */
async function counted(name: string, calls: (taken: number[]) => Promise<void>): Promise<void> {
  const so = found.get(name) ?? { taken: [], processor: 0, pages: 0 };
  found.set(name, so);
  await pages.begin();
  const before = processorMs();
  await calls(so.taken);
  so.processor += processorMs() - before;
  so.pages += await pages.sinceBegin();
}

async function repeated(name: string, times: number, work: () => Promise<unknown>): Promise<void> {
  await counted(name, async (taken) => {
    for (let n = 0; n < times; n++) taken.push(await timed(work));
  });
}

async function eachSample(all: () => Measured[], samples: Sample[]): Promise<void> {
  for (const { run } of all())
    for (const [index, sample] of samples.slice(0, WARM_UP).entries()) await run(sample, index);
  for (let pass = 0; pass < PASSES; pass++)
    for (const { name, run } of all())
      await counted(name, async (taken) => {
        for (const [index, sample] of samples.entries()) taken.push(await timed(() => run(sample, index)));
      });
}

const fillMs = await timed(async () => {
  await migrate();
  const seed = openSeed();
  let said = 0;
  await seedAll(seed, size, (part) => {
    const tenth = Math.floor(part * 10);
    if (tenth > said) say(`filled ${tenth * 10} %`);
    said = Math.max(said, tenth);
  }).finally(seed.close);
});
say("sweeping what is due");
const sweptMs = await timed(async () => {
  do await sweepAll();
  while ((await listFreshness()).sweptAt === null);
  await sweepSealing();
});

const samples = await findSamples(size.users, size.keys);
await giveDocuments(samples);
say(`measuring routes and pages with ${samples.length} keys`);
await eachSample(routesToMeasure, samples);
await eachSample(pagesToMeasure, samples);
// As a service does every five minutes. The overview would do its counting, and read for whatever is measured next.
await sweepAll();
say("measuring the console");
for (const [section, queries] of await consoleToMeasure())
  await counted(section, async (taken) => {
    for (let pass = 0; pass < PASSES; pass++) for (const query of queries) taken.push(await timed(query));
  });
say("measuring sweep, migration and backup");
await repeated("sweep with nothing due", 5, () => sweepAll());
await repeated("migration at start", 5, migrate);
for (const [name, { taken, processor, pages }] of found)
  rows.push({ ...summary(name, taken), processor: processor / taken.length, pages: pages / taken.length });
const file = join(env.DATA_DIR, "backup");
let written = { rows: 0 };
const backupMs = await timed(async () => {
  written = await writeBackup(file);
});
rows.push(summary("backup, for each 1,000 rows", [(backupMs * 1_000) / written.rows]));
const backupBytes = (await stat(file)).size;
await rm(file);
const { bytes } = (await serviceFacts()).database;
await pages.close();
await closeDatabase();
const facts = { fillMs, sweptMs, rows: written.rows, bytes, backupBytes, backupMs };
process.stdout.write(JSON.stringify({ rows, facts }));
