import { db } from "@/lib/db/client";
import { BATCH, inBatches } from "@/lib/db/in-batches";

/** Removes blocks that have ended: nobody was refused by them since. Returns how many. */
export async function sweepBlocks(now = new Date()): Promise<number> {
  return inBatches(async () => {
    const ended = await db.blockedNetwork.findMany({
      where: { until: { lte: now } },
      select: { id: true },
      take: BATCH,
    });
    return (await db.blockedNetwork.deleteMany({ where: { id: { in: ended.map(({ id }) => id) } } })).count;
  });
}
