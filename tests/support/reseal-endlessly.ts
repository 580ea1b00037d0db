// Run in its own process: node --import tsx tests/support/reseal-endlessly.ts
// Prints a line when it begins, and rotates the data key, again and again until it is killed.

import { rotateData } from "@/lib/account/resealing/rotate";
import { db } from "@/lib/db/client";

/** As if what other processes do with former keys had been over for long: it would be waited for. */
async function settle(): Promise<void> {
  const createdAt = new Date(Date.now() - 3_600_000);
  await db.dataKey.updateMany({ data: { createdAt } });
  await db.userKey.updateMany({ data: { createdAt } });
}

// PostgreSQL may refuse it beside a rotation; the next one follows soon.
setInterval(() => void settle().catch(() => {}), 50).unref();
process.stdout.write("sealing\n");
for (;;) await rotateData();
