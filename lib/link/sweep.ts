import { db } from "@/lib/db/client";
import { deadAt, REUSE_AFTER_SECONDS, secondsAfter } from "./lifetimes";

const BATCH = 500;

/**
 * Removes what dead codes leave behind: their masks at once, and after 30 days the codes themselves. Of codes whose program
 * still holds its user's token only the letters go. Works in small statements, so that nobody waits. Answers how many codes
 * went.
 */
export async function sweepLinks(now = new Date()): Promise<number> {
  await inBatches(async () => {
    const masks = await db.linkMask.findMany({ where: { link: deadAt(now) }, select: { mask: true }, take: BATCH });
    const { count } = await db.linkMask.deleteMany({ where: { mask: { in: masks.map(({ mask }) => mask) } } });
    return count;
  });
  const old = secondsAfter(now, -REUSE_AFTER_SECONDS);
  const gone = await inBatches(async () => {
    const links = await db.$queryRaw<{ id: string }[]>`
      SELECT "id" FROM "LinkCode" WHERE "createdAt" <= ${old} AND ("status" <> 'collected'
        OR NOT EXISTS (SELECT 1 FROM "User" WHERE "User"."tokenHash" = "LinkCode"."tokenHash")) LIMIT ${BATCH}`;
    const { count } = await db.linkCode.deleteMany({ where: { id: { in: links.map(({ id }) => id) } } });
    return count;
  });
  await db.linkCode.updateMany({ where: { createdAt: { lte: old }, codeHash: { not: null } }, data: { codeHash: null } });
  return gone;
}

/** Repeats `step` until it finds less than a whole batch, and answers the sum. */
async function inBatches(step: () => Promise<number>): Promise<number> {
  for (let sum = 0; ; ) {
    const count = await step();
    sum += count;
    if (count < BATCH) return sum;
  }
}
