import { RETENTION_MS } from "@/lib/keys/claims/sweep";
import { counted } from "@/lib/platform/bounds";
import { db, sql } from "@/lib/platform/db/client";
import { creatorsWithout } from "../queries";
import { type Fault, forgotten, SWEPT_WITHIN_MS } from "./finding";

/** Claim links that should have been deleted, and keys that their creators do not hold. */
export async function* keys(now: Date): AsyncGenerator<Fault> {
  const overdue = new Date(now.getTime() - RETENTION_MS - SWEPT_WITHIN_MS);
  const batches = await db.claimBatch.count({ where: { expiresAt: { lt: overdue } } });
  yield* forgotten(batches, ["batch of claim links", "batches of claim links"]);
  const [without] = await sql.read(creatorsWithout());
  if (without && without.keys > 0)
    yield {
      problem: `${counted(without.keys, "key is", "keys are")} not held by the creator, or only until an end date.`,
      advice: "The database was changed by something else. Have each creator offer the key to another user, and back.",
    };
}
