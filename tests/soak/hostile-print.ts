import type { HostileReport } from "./hostile";
import { printReport } from "./print";
import type { Pulse } from "./pulse";

/** What is asked of /health while the service is attacked, in milliseconds. */
export const GOAL_P99_MS = 100;

const told = ({ answers, p50, p99, longest, longestGap, ownDelay }: Pulse) =>
  `p50 ${p50}, p99 ${p99}, longest ${longest}, longest time without an answer ${longestGap} ` +
  `(${answers} answers; who measured was late by ${ownDelay} itself, p99)`;

/** Prints what a hostile soak saw, for a person. */
export function printHostileReport(report: HostileReport): void {
  const { pulse, floor, loop, tally, isAlive, memory, record } = report;
  console.log("\nHow the attacks ended:");
  for (const [name, endings] of Object.entries(tally).sort())
    console.log(
      `  ${name.padEnd(54)} ${Object.entries(endings)
        .map(([ending, times]) => `${ending}: ${times}`)
        .join(", ")}`,
    );
  printReport({ record, memory });
  console.log(`\nThe event loop by /metrics: ${loop.join("; ") || "nothing measured"}`);
  console.log(`/health under attack, ms: ${told(pulse)}`);
  console.log(`A bare server, the same:  ${told(floor)}`);
  console.log(
    `Goal: p99 of /health below ${GOAL_P99_MS} ms: ${pulse.p99 < GOAL_P99_MS ? "met" : "MISSED"}. The ` +
      `process ${isAlive ? "lives" : "IS GONE"}.`,
  );
}

/** Whether every goal was met: p99, nobody honest refused, no error, flat memory, the same process. */
export function isGood({ pulse, record, memory, isAlive }: HostileReport): boolean {
  return pulse.p99 < GOAL_P99_MS && record.faultCount === 0 && memory.isFlat !== false && isAlive;
}
