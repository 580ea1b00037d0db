import { db, sql } from "@/lib/db/client";
import { later } from "@/lib/hours";
import { pace } from "@/lib/turn-of-others";
import { APPROVE_WITHIN_SECONDS, COLLECT_WITHIN_SECONDS } from "./lifetimes";
import { outcomes } from "./rows";
import { TRANSITIONS } from "./states";

/** Counted with one statement: on SQLite, others wait for it. */
const SLICE_MS = 5 * 60_000;

/** After this time, no code can end in another way. */
export const SETTLED_AFTER_MS = (APPROVE_WITHIN_SECONDS + COLLECT_WITHIN_SECONDS + 120) * 1000;

/** What became of codes. Those that are still open are `asked` only. */
export interface LinkOutcomes {
  asked: number;
  linked: number;
  denied: number;
  expired: number;
}

/** What has become, until `now`, of the codes that were issued from one time to another. */
export async function countOutcomes(from: Date, to: Date, now: Date): Promise<LinkOutcomes> {
  const counted: LinkOutcomes = { asked: 0, linked: 0, denied: 0, expired: 0 };
  const others = pace();
  for (let start = from; start < to; start = later(start, SLICE_MS)) {
    const end = new Date(Math.min(to.getTime(), later(start, SLICE_MS).getTime()));
    for (const { outcome, count } of await sql.read(outcomes(start, end, now))) {
      counted.asked += count;
      if (outcome === TRANSITIONS.collect.to) counted.linked += count;
      if (outcome === TRANSITIONS.deny.to) counted.denied += count;
      if (outcome === "expired") counted.expired += count;
    }
    await others();
  }
  return counted;
}

/** When the first code was issued, from this time on; null if none was. */
export async function firstCodeSince(since: Date): Promise<Date | null> {
  const first = await db.linkCode.findFirst({
    where: { createdAt: { gte: since } },
    orderBy: { createdAt: "asc" },
    select: { createdAt: true },
  });
  return first?.createdAt ?? null;
}
