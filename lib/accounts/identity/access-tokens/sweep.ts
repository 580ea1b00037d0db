import { db } from "@/lib/platform/db/client";
import { BATCH, inBatches } from "@/lib/platform/db/lock";
import { env } from "@/lib/platform/env";
import { DAY_MS, latestNow } from "@/lib/platform/time";
import type { Prisma } from "@/prisma/generated/sqlite/client";
import { DEFAULT_IDLE_DAYS } from "./use";

/** Ended tokens are listed for so long, so that their user learns why a program stopped. */
const LISTED_DAYS = 30;

/**
 * Deletes tokens that ended 30 days ago, in small statements. Returns how many. Those that nobody collected are for
 * lib/link/sweep.
 */
export async function sweepTokens(now = new Date()): Promise<number> {
  // Their last use was before the clock was set back: how long ago is unknown, so the days without use begin anew.
  await db.accessToken.updateMany({ where: { usedAt: { gt: latestNow(now) } }, data: { usedAt: now } });
  const ended = daysBefore(now, LISTED_DAYS);
  let deleted = await deleteAll({ expiresAt: { lte: ended } });
  if (env.TOKEN_IDLE_DAYS === 0) return deleted;
  const unused = daysBefore(ended, env.TOKEN_IDLE_DAYS ?? DEFAULT_IDLE_DAYS);
  const ends = env.TOKEN_IDLE_DAYS === undefined ? { idleDays: { not: null } } : {};
  deleted += await deleteAll({ usedAt: { lte: unused }, ...ends });
  return deleted + (await deleteAll({ usedAt: null, startsAt: { lte: unused }, ...ends }));
}

/** One condition at a time: each has an index. */
function deleteAll(where: Prisma.AccessTokenWhereInput): Promise<number> {
  return inBatches(async () => {
    const id = { in: await idsOf(where) };
    return (await db.accessToken.deleteMany({ where: { ...where, id } })).count;
  });
}

async function idsOf(where: Prisma.AccessTokenWhereInput): Promise<string[]> {
  const tokens = await db.accessToken.findMany({ where, select: { id: true }, take: BATCH });
  return tokens.map(({ id }) => id);
}

function daysBefore(time: Date, days: number): Date {
  return new Date(time.getTime() - days * DAY_MS);
}
