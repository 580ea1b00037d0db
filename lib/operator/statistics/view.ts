import { sql } from "@/lib/platform/db/client";
import { REFUSED } from "@/lib/platform/limits/refusals";
import { DAY_MS, HOUR_MS, later, startOfDay, startOfHour } from "@/lib/platform/time";
import { type Counted, cached } from "./cached";
import { MAX_DAYS, NOTHING, recordHours } from "./count";
import { type Measurement, measurementsSince } from "./queries";

const HAPPENED = Object.keys(NOTHING) as (keyof typeof NOTHING)[];
const STORED = ["users", "keys", "keyBytes", "fileBytes"] as const;

type Happened = Record<(typeof HAPPENED)[number], number>;
/** At the end; null if that was not measured. */
type Stored = Record<(typeof STORED)[number], number | null>;

/** What happened in a period, and what was stored. */
export interface Period extends Happened, Stored {
  /** When it began. */
  at: Date;
  /** How often each limit was reached. */
  refusals: Record<string, number>;
}

/** How far back the overview looks, and in which steps. */
export const RANGES = {
  day: { name: "24 hours", step: "hour", count: 24 },
  month: { name: "30 days", step: "day", count: MAX_DAYS },
} as const;

export type StatisticsRange = keyof typeof RANGES;

export interface Statistics {
  /** Until when everything is counted; null if nothing is yet. */
  countedAt: Date | null;
  /** The first ones first; the last one still runs. */
  periods: Period[];
}

const recording = cached("statistics", () => recordHours(new Date()));

/** The hours of the last day, or the days of the last month (UTC), as they were last counted. */
export const statisticsFor = async (range: StatisticsRange): Promise<Statistics> =>
  statisticsOf(RANGES[range], await recording.soon());

/** The last periods, of up to `MAX_DAYS`: what is recorded, and what `recordHours` counted of the other hours. */
export async function statisticsOf(
  { step, count }: { step: "hour" | "day"; count: number },
  counted: Counted<Measurement[]> | null,
  now = new Date(),
): Promise<Statistics> {
  const [last, length] = step === "hour" ? [startOfHour(now), HOUR_MS] : [startOfDay(now), DAY_MS];
  const first = later(last, (1 - count) * length);
  const recorded = await sql.read(measurementsSince(first));
  // An hour may have been recorded since it was counted.
  const byHour = new Map(
    [...(counted?.value ?? []), ...recorded].map((row) => [`${row.at.getTime()} ${row.name}`, row]),
  );
  const periods = Array.from({ length: count }, (): Measurement[] => []);
  for (const row of byHour.values()) periods[Math.floor((row.at.getTime() - first.getTime()) / length)]?.push(row);
  return {
    countedAt: counted?.at ?? recorded.findLast(({ name }) => name === "users")?.at ?? null,
    periods: periods.map((rows, index) => periodOf(later(first, index * length), rows)),
  };
}

function periodOf(at: Date, rows: Measurement[]): Period {
  const sum = (name: string) => rows.reduce((before, row) => before + (row.name === name ? row.value : 0), 0);
  const last = (name: string) => rows.findLast((row) => row.name === name)?.value ?? null;
  const limits = rows.flatMap(({ name }) => (name.startsWith(REFUSED) ? [name.slice(REFUSED.length)] : []));
  return {
    at,
    ...valuesOf(HAPPENED, sum),
    ...valuesOf(STORED, last),
    refusals: valuesOf(limits, (limit) => sum(REFUSED + limit)),
  };
}

const valuesOf = <Name extends string, Value>(names: readonly Name[], of: (name: Name) => Value) =>
  Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, Value>;
