import { db } from "@/lib/db/client";
import { ENDED_KEPT_MS } from "@/lib/keys/claims/sweep";
import type { Finding } from "./finding";

const SWEPT_WITHIN_MS = 60 * 60_000;
const SWEEP = "Run sweep. The service does so every five minutes; on Vercel, the timer needs CRON_SECRET.";

/** Claim links that should have been deleted, and keys whose creators do not hold them. */
export async function* keys(now: Date): AsyncGenerator<Finding> {
  const overdue = new Date(now.getTime() - ENDED_KEPT_MS - SWEPT_WITHIN_MS);
  const forgotten = await db.claimBatch.count({ where: { expiresAt: { lt: overdue } } });
  if (forgotten > 0)
    yield {
      check: "sweep",
      problem: `${forgotten} batches of claim links should have been deleted an hour ago.`,
      advice: SWEEP,
    };
}
