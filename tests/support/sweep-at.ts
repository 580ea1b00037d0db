// Run in its own process, with a time in Unix ms: waits for it, then brings the statistics and the users' table up to
// date as the sweep does. Prints when it began and ended, and how many users it counted.
import { setTimeout as sleep } from "node:timers/promises";
import { rollUp } from "@/lib/account/statistics/roll-up";
import { sweepSummaries } from "@/lib/account/summaries/sweep";
import { closeDatabase } from "@/lib/db/client";

await sleep(Number(process.argv[2]) - Date.now());
const began = Date.now();
const [counted] = await Promise.all([sweepSummaries(), rollUp()]);
console.log(JSON.stringify({ began, ended: Date.now(), counted }));
await closeDatabase();
