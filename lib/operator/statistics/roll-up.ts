import { db, type Statements, sql, transaction } from "@/lib/platform/db/client";
import { turnOfOthers } from "@/lib/platform/event-loop";
import { DAY_MS, later, startOfDay, startOfHour } from "@/lib/platform/time";
import type { Statistic } from "@/prisma/generated/sqlite/client";
import { countEvents, countLinks, countStored } from "./count";
import { addMark, beginMeasuring, MARK, setStored } from "./queries";

/** Hours are kept this long, and days for ever. */
export const HOURS_RETENTION_DAYS = 31;
const DAYS_AT_ONCE = 10;
/** Less than the time between two sweeps: of several processes, one measures. */
const MEASURED_EVERY_MS = 4 * 60_000;
/** So that every hour has its numbers. */
const MEASURED_WITHIN_MS = 50 * 60_000;
/** Counting everything may take a twentieth of the time. */
const PART_OF_TIME = 20;

/**
 * Brings the statistics up to date, which no count of what is stored could give: codes are removed after 30 days, and
 * refusals are never stored. Counting while something is written would add a statement to each change. It adds what
 * happened since the last time to its hours, measures what is stored, adds up days, and removes old hours. However late
 * it comes and however many processes do it at once, everything counts once, as long as it comes before the sweep of
 * what it counts.
 */
export async function rollUp(now = new Date()): Promise<void> {
  await sql.batch([addMark()]);
  await countEvents(now);
  await countLinks(now);
  await measure(now);
  await addUpDays(now);
}

let measuredEveryMs = MEASURED_EVERY_MS;

async function measure(now: Date): Promise<void> {
  const isOurs = await sql.write((tx) => tx.write(beginMeasuring(later(now, -measuredEveryMs), now)));
  if (isOurs !== 1) return;
  const began = performance.now();
  await sql.batch([setStored(startOfHour(now), await countStored())]);
  measuredEveryMs = pauseAfter(performance.now() - began);
}

/** Milliseconds from one measurement to the next, if it takes this long. */
export const pauseAfter = (tookMs: number) =>
  Math.min(MEASURED_WITHIN_MS, Math.max(MEASURED_EVERY_MS, tookMs * PART_OF_TIME));

/**
 * Hours are never removed before their day has been added up, nor part of a day: so a day that has hours has all. Some
 * days at a time: SQLite does nothing else meanwhile, and on PostgreSQL other processes wait.
 */
async function addUpDays(now: Date): Promise<void> {
  const days = await changedDays(db);
  for (let from = 0; from < days.length; from += DAYS_AT_ONCE) {
    await locked((tx) => addUpEach(tx, days.slice(from, from + DAYS_AT_ONCE)));
    await turnOfOthers();
  }
  const oldest = later(startOfDay(now), -HOURS_RETENTION_DAYS * DAY_MS);
  const old = { span: "hour", at: { lt: oldest } };
  if ((await db.statistic.count({ where: old })) + (await db.refusal.count({ where: old })) === 0) return;
  await locked(async (tx) => {
    // Another process may have counted something in them since.
    await addUpEach(tx, await changedDays(tx, oldest));
    await tx.statistic.deleteMany({ where: old });
    await tx.refusal.deleteMany({ where: old });
  });
}

/** Runs a transaction that those of other processes wait for. */
function locked(work: (tx: Statements) => Promise<void>): Promise<void> {
  return transaction(async (tx) => {
    await tx.statisticsMark.updateMany({ where: { id: MARK }, data: { id: MARK } });
    await work(tx);
  });
}

/** The days, before a time or all, that are not yet what their hours add up to. */
async function changedDays(statements: Statements, before?: Date): Promise<Date[]> {
  const where = { span: "hour", at: { lt: before } };
  const [hours, refusals] = await Promise.all([
    statements.statistic.findMany({ where, orderBy: { at: "asc" } }),
    statements.refusal.findMany({ where, orderBy: { at: "asc" } }),
  ]);
  const days = [...new Set([...hours, ...refusals].map(({ at }) => startOfDay(at).getTime()))];
  const of = { span: "day", at: { in: days.map((at) => new Date(at)) } };
  const [stored, storedRefusals] = await Promise.all([
    statements.statistic.findMany({ where: of }),
    statements.refusal.findMany({ where: of }),
  ]);
  return days
    .filter((day) => {
      const within = ({ at }: { at: Date }) => startOfDay(at).getTime() === day;
      const counted = hours.filter(within);
      return (
        (counted.length > 0 && !isSame(addUp(counted), stored.find(within))) ||
        [...limitsOf(refusals.filter(within))].some(
          ([limit, count]) => count !== storedRefusals.find((one) => within(one) && one.limit === limit)?.count,
        )
      );
    })
    .map((day) => new Date(day));
}

async function addUpEach(tx: Statements, days: Date[]): Promise<void> {
  for (const day of days) await addUpDay(tx, day);
}

async function addUpDay(tx: Statements, day: Date): Promise<void> {
  const within = { span: "hour", at: { gte: day, lt: later(day, DAY_MS) } };
  const hours = await tx.statistic.findMany({ where: within, orderBy: { at: "asc" } });
  const limits = limitsOf(await tx.refusal.findMany({ where: within }));
  const key = { span: "day", at: day };
  if (hours.length > 0) {
    const sums = addUp(hours);
    await tx.statistic.upsert({ where: { span_at: key }, create: { ...key, ...sums }, update: sums });
  }
  for (const [limit, count] of limits) {
    const one = { ...key, limit };
    await tx.refusal.upsert({ where: { span_at_limit: one }, create: { ...one, count }, update: { count } });
  }
}

/** What is added up; bytes are numbers once they are read. */
interface Sums<Bytes = bigint> extends Omit<Statistic, "span" | "at" | "keyBytes" | "fileBytes"> {
  keyBytes: Bytes | null;
  fileBytes: Bytes | null;
}

/** The sums of hours, in their order, and what was stored at the end of them. */
export function addUp<Bytes>(hours: readonly Sums<Bytes>[]): Sums<Bytes> {
  const sum = (of: (hour: Sums<Bytes>) => number) => hours.reduce((before, hour) => before + of(hour), 0);
  const { users, keys, keyBytes, fileBytes } = hours.findLast((hour) => hour.users !== null) ?? NOT_MEASURED;
  return {
    signIns: sum((hour) => hour.signIns),
    signUps: sum((hour) => hour.signUps),
    asked: sum((hour) => hour.asked),
    linked: sum((hour) => hour.linked),
    denied: sum((hour) => hour.denied),
    expired: sum((hour) => hour.expired),
    users,
    keys,
    keyBytes,
    fileBytes,
  };
}

const NOT_MEASURED = { users: null, keys: null, keyBytes: null, fileBytes: null };

const isSame = (sums: Sums, stored: Statistic | undefined) =>
  stored !== undefined && Object.entries(sums).every(([name, value]) => stored[name as keyof Sums] === value);

function limitsOf(refusals: readonly { limit: string; count: bigint }[]): Map<string, bigint> {
  const limits = new Map<string, bigint>();
  for (const { limit, count } of refusals) limits.set(limit, (limits.get(limit) ?? 0n) + count);
  return limits;
}
