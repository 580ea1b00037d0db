import { auditEvents } from "@/lib/audit";
import { db, sql } from "@/lib/db/client";
import { HOUR_MS, later, startOfHour } from "@/lib/hours";
import { auditAsks, countOutcomes, firstCodeSince, outcomesCountedTo } from "@/lib/link/count-outcomes";
import { REUSE_AFTER_SECONDS } from "@/lib/link/lifetimes";
import { MARK, passLinks, setLinks } from "./rows";

/**
 * Counts what became of the codes of each hour, again until no code of it can end in another way, and then records,
 * once, which networks asked for them. Of those from before
 * anything was counted, all that are left are from the last 30 days, but for some that were collected.
 */
export async function countLinks(now: Date): Promise<void> {
  const { linksFrom } = await db.statisticsMark.findUniqueOrThrow({ where: { id: MARK } });
  const begin = linksFrom ?? later(startOfHour(later(now, -REUSE_AFTER_SECONDS * 1000)), HOUR_MS);
  // The first hour that is not settled: from there on, the next sweep counts again.
  let open = begin;
  for (let hour = begin; hour <= now; ) {
    const first = await firstCodeSince(hour);
    if (!first || first > now) return;
    hour = startOfHour(first);
    const end = later(hour, HOUR_MS);
    const counted = await countOutcomes(hour, end, now);
    const isSettled = end <= outcomesCountedTo(now);
    if (isSettled) open = end;
    const asks = isSettled ? await auditAsks(hour, now) : [];
    await sql.write(async (tx) => {
      if ((await tx.write(passLinks(hour, isSettled ? end : open))) === 0) return;
      await tx.write(setLinks(hour, counted));
      if (asks.length > 0) await tx.write(auditEvents(...asks));
    });
    hour = end;
  }
}
