import type { AuditAction } from "@/lib/audit";
import { db, sql } from "@/lib/db/client";
import { later, startOfHour } from "@/lib/hours";
import { pace } from "@/lib/turn-of-others";
import { type CountedEvent, eventsAfter } from "../rows";
import { addToHour, MARK, passEvents } from "./rows";

/** Read with one statement: on SQLite, others wait for it. */
const AT_ONCE = 2_000;
/** Counted with one transaction. */
const PER_TRANSACTION = 100_000;
/**
 * Longer than a transaction may take. On PostgreSQL, one event may be committed after another that has a higher number,
 * so nothing is counted past one that is younger than this.
 */
const SETTLED_MS = 2 * 60_000;

const COUNTED = { "user.signin": "signIns", "user.create": "signUps" } as const satisfies Partial<
  Record<AuditAction, string>
>;

type Counts = Record<(typeof COUNTED)[keyof typeof COUNTED], number>;

/**
 * Adds the sign-ins and sign-ups since the last time to their hours. Several processes may do so at once: each event is
 * counted once.
 */
export async function countEvents(now: Date): Promise<void> {
  while (await countSome(now));
}

/** Returns whether there may be more to count. */
async function countSome(now: Date): Promise<boolean> {
  const { eventId } = await db.statisticsMark.findUniqueOrThrow({ where: { id: MARK } });
  const from = Number(eventId);
  const { hours, to, isMore } = await readSome(from, now);
  if (to > from)
    await sql.write(async (tx) => {
      if ((await tx.write(passEvents(from, to))) === 0) return;
      for (const [at, { signIns, signUps }] of hours) await tx.write(addToHour(new Date(at), signIns, signUps));
    });
  return isMore;
}

async function readSome(from: number, now: Date): Promise<{ hours: Map<number, Counts>; to: number; isMore: boolean }> {
  const hours = new Map<number, Counts>();
  const others = pace();
  let to = from;
  while (to < from + PER_TRANSACTION) {
    const events = await sql.read(eventsAfter(to, AT_ONCE));
    const settled = events.slice(0, firstUnsettled(events, now));
    for (const { at, action } of settled) {
      const counted = COUNTED[action as keyof typeof COUNTED];
      if (!counted) continue;
      const hour = startOfHour(at).getTime();
      const counts = hours.get(hour) ?? { signIns: 0, signUps: 0 };
      hours.set(hour, counts);
      counts[counted]++;
    }
    to = settled.at(-1)?.id ?? to;
    if (settled.length < AT_ONCE) return { hours, to, isMore: false };
    await others();
  }
  return { hours, to, isMore: true };
}

/** An event in the future is from a clock that was wrong, and is not waited for. */
function firstUnsettled(events: CountedEvent[], now: Date): number {
  const found = events.findIndex(({ at }) => at > later(now, -SETTLED_MS) && at <= now);
  return found === -1 ? events.length : found;
}
