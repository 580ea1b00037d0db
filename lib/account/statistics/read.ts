import { db } from "@/lib/db/client";
import { DAY_MS, HOUR_MS, later, startOfDay, startOfHour } from "@/lib/hours";
import { addUp } from "./roll-up";
import { MARK } from "./rows";

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
export async function countedAt(): Promise<Date | null> {
  return (await db.statisticsMark.findUnique({ where: { id: MARK } }))?.measuredAt ?? null;
}
