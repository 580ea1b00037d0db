// npm run bench:console, with the environment of a database that `npm run seed:console` filled: prints how long each
// query of the operator's console takes, first pages and older ones.
import "../scripts/dotenv.mjs";
import { closeDatabase, db } from "@/lib/db/client";
import { readFilter, type TypedFilter } from "@/lib/operator/audit/filter";
import { auditPage } from "@/lib/operator/audit/page";

const ROUNDS = 20;
const PAGES = 5;
const A_PAGE = 50;

const busy = "user-0000001";
const network = "198.19.7.3";
const key = (await db.key.findFirst({ skip: 5, select: { id: true } }))?.id ?? "";

const FILTERS: TypedFilter[] = [
  {},
  { who: busy },
  { who: "operator" },
  { who: "nobody" },
  { what: "key" },
  { what: "console.refuse" },
  { which: key },
  { network },
  { from: "7d" },
  { to: "300d" },
  { who: busy, what: "key.update" },
  { who: busy, what: "user" },
  { who: "nobody", what: "key" },
  { who: "operator", what: "user.disable" },
  { who: busy, which: key },
  { network, what: "link" },
  { network, who: "nobody" },
  { what: "key.create", to: "300d" },
  { who: busy, what: "key.revoke", to: "300d" },
];

/** What is measured: each entry is called for a page, with what the one before it returned. */
const QUERIES: Record<string, (before?: number) => Promise<number | null>> = Object.fromEntries(
  FILTERS.map((typed) => [
    `audit ${JSON.stringify(typed)}`,
    async (before?: number) => (await auditPage(await readFilter(typed), A_PAGE, before)).next,
  ]),
);

for (const [name, query] of Object.entries(QUERIES)) {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    let before: number | undefined;
    for (let page = 0; page < PAGES; page++) {
      const began = performance.now();
      const next = await query(before);
      times.push(performance.now() - began);
      if (next === null) break;
      before = next;
    }
  }
  times.sort((a, b) => a - b);
  const at = (part: number) => (times[Math.floor(times.length * part)] ?? 0).toFixed(1).padStart(8);
  console.log(`${name.padEnd(80)} p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`);
}
await closeDatabase();
