import { db, sql } from "@/lib/db/client";
import { ENDED_KEPT_MS } from "@/lib/keys/claims/sweep";
import { type Finding, SWEEP_ADVICE, SWEPT_WITHIN_MS } from "./finding";
import { creatorsWithout } from "./rows";

/** Claim links that should have been deleted, and keys that their creators do not hold. */
export async function* keys(now: Date): AsyncGenerator<Finding> {
  const overdue = new Date(now.getTime() - ENDED_KEPT_MS - SWEPT_WITHIN_MS);
  const forgotten = await db.claimBatch.count({ where: { expiresAt: { lt: overdue } } });
  if (forgotten > 0)
    yield {
      check: "sweep",
      problem: `${forgotten} batches of claim links should have been deleted an hour ago.`,
      advice: SWEEP_ADVICE,
    };
  const [without] = await sql.read(creatorsWithout());
  if (without && without.keys > 0)
    yield {
      check: "keys",
      problem: `The creators of ${without.keys} keys do not hold them, or not without an end.`,
      advice: "The database was changed by something else. Have each creator offer the key to another user, and back.",
    };
}
