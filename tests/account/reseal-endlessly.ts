// Run in its own process: node --import tsx tests/account/reseal-endlessly.ts
// Prints a line when it begins, and rotates the data key, again and again until it is killed.
import { setTimeout as sleep } from "node:timers/promises";
import { rotateData } from "@/lib/operator/rotate";
import { db } from "@/lib/platform/db/client";

const PAUSE_MS = 50;

/** As if what other processes do with former keys had been over for long: it would be waited for. */
async function settle(): Promise<void> {
  const createdAt = new Date(Date.now() - 3_600_000);
  const where = { createdAt: { gt: createdAt } };
  await db.dataKey.updateMany({ where, data: { createdAt } });
  await db.userKey.updateMany({ where, data: { createdAt } });
}

/** One at a time: each waits for rows that the rotation has locked, and holds a connection meanwhile. */
async function settleAgainAndAgain(): Promise<never> {
  for (;;) {
    // PostgreSQL may refuse it beside a rotation; the next one follows soon.
    await settle().catch(() => {});
    await sleep(PAUSE_MS);
  }
}

void settleAgainAndAgain();
process.stdout.write("sealing\n");
for (;;) await rotateData();
