// npm run bench:console, with the environment of a database that `npm run seed:console` filled: brings the summaries
// and the statistics up to date as the sweeps do, then prints how long each query of the operator's console takes,
// first pages and later ones.
import "../scripts/dotenv.mjs";

process.env.LOG_LEVEL = "silent";

const { rollUp } = await import("@/lib/account/statistics/roll-up");
const { sweepSummaries } = await import("@/lib/account/summaries/sweep");
const { closeDatabase } = await import("@/lib/db/client");
const { listFreshness } = await import("@/lib/operator/users/list");
const { consoleQueries } = await import("./console-queries");

const ROUNDS = 20;
const PAGES = 5;

const seconds = (began: number) => `${((performance.now() - began) / 1000).toFixed(1)} s`;
const milliseconds = (ms = 0) => `${ms.toFixed(1).padStart(8)} ms`;

async function fill(): Promise<void> {
  const began = performance.now();
  let counted = 0;
  let sweeps = 0;
  do {
    counted += await sweepSummaries();
    sweeps++;
  } while ((await listFreshness()).sweptAt === null);
  console.log(`${counted} users counted for lists in ${sweeps} sweeps and ${seconds(began)}`);
}

async function count(): Promise<void> {
  const began = performance.now();
  await rollUp();
  console.log(`statistics counted in ${seconds(began)}`);
}

await fill();
await count();
for (const [name, query] of await consoleQueries()) {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    let after: string | undefined;
    for (let page = 0; page < PAGES; page++) {
      const began = performance.now();
      const next = await query(after);
      times.push(performance.now() - began);
      if (next === null) break;
      after = next;
    }
  }
  times.sort((a, b) => a - b);
  const at = (part: number) => milliseconds(times[Math.floor(times.length * part)]);
  console.log(`${name.padEnd(80)} p50 ${at(0.5)}, p95 ${at(0.95)}`);
}
await closeDatabase();
