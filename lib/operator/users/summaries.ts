import { db, sql } from "@/lib/platform/db/client";
import { despiteDeletions } from "@/lib/platform/db/lock";
import { insert } from "@/lib/platform/db/statement";
import { turnOfOthers } from "@/lib/platform/event-loop";
import { isRecent, latestNow } from "@/lib/platform/time";
import { nextUsers, recount } from "./queries";

/** Users per statement: SQLite does nothing else meanwhile. */
const USERS_AT_ONCE = 200;
/** Less than the time between two sweeps: of several processes, mostly one counts. */
const EVERY_MS = 4 * 60_000;
/** Counting may take this part of the time. */
const PART_OF_TIME = 20;
/** The `Measurement` that says when all users were counted, and how many milliseconds that took. */
const COUNTED = "users counted";

const lastCount = () => db.measurement.findFirst({ where: { name: COUNTED }, orderBy: { at: "desc" } });

/** As of when the rows for lists of users are up to date. Null: not all were counted yet, and some may be missing. */
export const usersCountedAt = async (): Promise<Date | null> => (await lastCount())?.at ?? null;

/** Counts all users, unless some process did lately. Returns how many rows were out of date. */
export async function sweepSummaries(now = new Date()): Promise<number> {
  const last = await lastCount();
  if (last && isRecent(Math.max(EVERY_MS, PART_OF_TIME * Number(last.value)), last.at, now)) return 0;
  return countUsers(now);
}

/**
 * Brings the rows for lists of users up to date, from what is stored of each, so it may be repeated, stopped and run by
 * several processes. Only rows that are out of date are written. A list that counted 300,000 keys by user itself would
 * take SQLite 101 ms in place of 0.3, and nobody else is answered meanwhile. Returns how many rows were out of date.
 */
export async function countUsers(now = new Date()): Promise<number> {
  const began = performance.now();
  let count = 0;
  for (let after = ""; ; await turnOfOthers()) {
    const users = await sql.read(nextUsers(after, USERS_AT_ONCE));
    const outdated = users.filter(({ isCurrent }) => isCurrent === 0).map(({ id }) => id);
    if (outdated.length > 0) await despiteDeletions(() => sql.batch([recount(outdated)]));
    count += outdated.length;
    after = users.at(-1)?.id ?? "";
    if (users.length < USERS_AT_ONCE) break;
  }
  const row = { at: now, name: COUNTED, value: Math.ceil(performance.now() - began) };
  await sql.batch([insert("Measurement", row, { unique: ["at", "name"], set: ["value"] })]);
  const isPast = [{ at: { lt: now } }, { at: { gt: latestNow(now) } }];
  await db.measurement.deleteMany({ where: { name: COUNTED, OR: isPast } });
  return count;
}
