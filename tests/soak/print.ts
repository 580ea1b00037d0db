import { inMB } from "./memory";
import type { Report } from "./run";

/** Prints what a soak saw, for a person. */
export function printReport({ record, memory }: Report): void {
  console.log(
    "\nmilliseconds".padEnd(41),
    "answers".padStart(9),
    "p50".padStart(9),
    "p99".padStart(9),
    "longest".padStart(9),
  );
  for (const { route, answers, p50, p99, longest } of record.routes())
    console.log(route.padEnd(40), ...[answers, p50, p99, longest].map((figure) => String(figure).padStart(9)));

  console.log("\nWhat was done, and how often:");
  for (const [act, times] of [...record.acts].sort()) console.log(`  ${act.padEnd(38)} ${String(times).padStart(9)}`);
  console.log(
    `\nStatuses: ${[...record.statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, times]) => `${status}: ${times}`)
      .join(", ")}`,
  );

  console.log(
    `Memory of the service: at most ${inMB(memory.most)}; median by quarter of the run ` +
      `${memory.quarters.map(inMB).join(", ")};`,
  );
  console.log(`  slope in the second half ${inMB(memory.slope)} a minute. ${memory.sentence}`);

  for (const { act, route, reason } of record.faults) console.log(`\nNOT ALLOWED: ${act}, ${route}: ${reason}`);
  console.log(`\n${record.answers} answers, ${record.faultCount} not allowed.`);
}
