import { db } from "@/lib/db/client";
import { APPROVE_WITHIN_SECONDS, secondsAfter } from "./lifetimes";

/** How many requests to be linked of the last ten minutes are in which state. */
export async function countLinkStates(now = new Date()): Promise<Record<string, number>> {
  const counted = await db.linkCode.groupBy({
    by: ["status"],
    where: { createdAt: { gt: secondsAfter(now, -APPROVE_WITHIN_SECONDS) } },
    _count: true,
  });
  const states: Record<string, number> = { pending: 0, approved: 0, denied: 0, collected: 0 };
  for (const { status, _count } of counted) states[status] = _count;
  return states;
}
