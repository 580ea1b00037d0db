import { setTimeout as sleep } from "node:timers/promises";
import { db } from "@/lib/platform/db/client";
import { log } from "@/lib/platform/log";
import { keepAwake } from "@/lib/platform/process";
import { DAY_MS, HOUR_MS, later, startOfDay, startOfHour } from "@/lib/platform/time";
import { MARK } from "./queries";
import { addUp, rollUp } from "./roll-up";

/** What happened in a period, and what was stored at its end; null if that was not measured. */
export interface Period {
  /** When it began. */
  at: Date;
  signIns: number;
  signUps: number;
  asked: number;
  linked: number;
  denied: number;
  expired: number;
  users: number | null;
  keys: number | null;
  keyBytes: number | null;
  fileBytes: number | null;
  /** How often each limit was reached. */
  refusals: Record<string, number>;
}

const EMPTY = addUp<bigint>([]);

/** The last `count` hours or days (UTC), oldest first; the last one still runs. */
export async function statisticsOf(span: "hour" | "day", count: number, now = new Date()): Promise<Period[]> {
  const [start, length] = span === "hour" ? [startOfHour(now), HOUR_MS] : [startOfDay(now), DAY_MS];
  const where = { span, at: { gte: later(start, -(count - 1) * length), lte: start } };
  const [rows, refusals] = await Promise.all([db.statistic.findMany({ where }), db.refusal.findMany({ where })]);
  return Array.from({ length: count }, (_, index) => {
    const at = later(start, (index + 1 - count) * length);
    const here = (row: { at: Date }) => row.at.getTime() === at.getTime();
    const { keyBytes, fileBytes, ...counted } = { ...EMPTY, ...rows.find(here) };
    return {
      at,
      signIns: counted.signIns,
      signUps: counted.signUps,
      asked: counted.asked,
      linked: counted.linked,
      denied: counted.denied,
      expired: counted.expired,
      users: counted.users,
      keys: counted.keys,
      keyBytes: keyBytes === null ? null : Number(keyBytes),
      fileBytes: fileBytes === null ? null : Number(fileBytes),
      refusals: Object.fromEntries(refusals.filter(here).map(({ limit, count: times }) => [limit, Number(times)])),
    };
  });
}

/** When the statistics were last brought up to date; null if they never were. */
async function countedAt(): Promise<Date | null> {
  return (await db.statisticsMark.findUnique({ where: { id: MARK } }))?.measuredAt ?? null;
}

/** The sweep comes every five minutes; on Vercel, as often as its timer. */
const STALE_MS = 5 * 60_000;
/** How long a reader waits for numbers that are brought up to date. A large service counts on meanwhile. */
const PATIENCE_MS = 1_000;

/** How far back the overview looks, and in which steps. */
export const RANGES = {
  day: { name: "24 hours", step: "hour" },
  month: { name: "30 days", step: "day" },
  year: { name: "12 months", step: "week" },
} as const;

export type StatisticsRange = keyof typeof RANGES;

/** More days than the service has existed would all be empty. */
export const MAX_DAYS = 3_660;

export interface Statistics {
  /** Until when everything is counted; null if nothing is yet. */
  countedAt: Date | null;
  periods: Period[];
}

/** The hours of the last day, the days of the last month or the weeks of the last year. */
export async function statisticsFor(range: StatisticsRange, now = new Date()): Promise<Statistics> {
  await bringUpToDate(now);
  const periods =
    range === "day"
      ? await statisticsOf("hour", 24, now)
      : range === "month"
        ? await statisticsOf("day", 30, now)
        : inWeeks(await statisticsOf("day", 364 + weekday(now), now));
  return { countedAt: await countedAt(), periods };
}

/** The last days, up to `MAX_DAYS`. */
export async function statisticsOfDays(count: number, now = new Date()): Promise<Statistics> {
  await rollUp(now);
  return { countedAt: await countedAt(), periods: await statisticsOf("day", count, now) };
}

let updating: Promise<void> | undefined;

/** If the sweep is late, does its counting, as far as there is time. */
async function bringUpToDate(now: Date): Promise<void> {
  const last = await countedAt();
  if (last && last <= now && last > later(now, -STALE_MS)) return;
  updating ??= rollUp(now)
    .catch((error) => log.error({ err: error }, "counting failed; the sweep tries again"))
    .finally(() => {
      updating = undefined;
    });
  keepAwake(updating);
  await Promise.race([updating, sleep(PATIENCE_MS, undefined, { ref: false })]);
}

/** From 1, Monday, to 7. */
const weekday = (day: Date) => day.getUTCDay() || 7;

/** Adds up days, of which the first is a Monday. */
function inWeeks(days: Period[]): Period[] {
  return Array.from({ length: Math.ceil(days.length / 7) }, (_, week) => {
    const [first, ...others] = days.slice(7 * week, 7 * week + 7);
    return [first, ...others].filter((day) => day !== undefined).reduce(together);
  });
}

function together(week: Period, day: Period): Period {
  const refusals = { ...week.refusals };
  for (const [limit, count] of Object.entries(day.refusals)) refusals[limit] = (refusals[limit] ?? 0) + count;
  return { ...addUp([week, day]), at: week.at, refusals };
}
