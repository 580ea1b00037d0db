import { db } from "@/lib/db/client";
import { APPROVE_WITHIN_SECONDS, secondsAfter } from "./lifetimes";
import { STORED_STATES } from "./states";

/** The number of link requests in each state, of the time in which a code can be approved. */
export async function countLinkStates(now = new Date()): Promise<Record<string, number>> {
  const counted = await db.linkCode.groupBy({
    by: ["status"],
    where: { createdAt: { gt: secondsAfter(now, -APPROVE_WITHIN_SECONDS) } },
    _count: true,
  });
  const states: Record<string, number> = Object.fromEntries(STORED_STATES.map((state) => [state, 0]));
  for (const { status, _count } of counted) states[status] = _count;
  return states;
}
