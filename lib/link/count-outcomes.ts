import { type AuditEntry, SERVICE } from "@/lib/audit";
import { db, sql } from "@/lib/db/client";
import { HOUR_MS, later, startOfHour } from "@/lib/hours";
import { pace } from "@/lib/turn-of-others";
import { APPROVE_WITHIN_SECONDS, COLLECT_WITHIN_SECONDS } from "./lifetimes";
import { askers, outcomes } from "./rows";
import { TRANSITIONS } from "./states";

/** Counted with one statement: on SQLite, others wait for it. */
const SLICE_MS = 5 * 60_000;

/** After this time, no code can end in another way. */
const SETTLED_AFTER_MS = (APPROVE_WITHIN_SECONDS + COLLECT_WITHIN_SECONDS + 120) * 1000;

/** The end of the last hour whose codes are settled: from before it, nothing has to be counted again. */
export const outcomesCountedTo = (now: Date) => startOfHour(later(now, -SETTLED_AFTER_MS));

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

/** Networks of an hour that are named, those that asked for most: an attacker may have any number of them. */
const MOST_NAMED = 1_000;

/** How many codes each network asked for in the hour from this time on, in the words of the audit trail. */
export async function auditAsks(hour: Date, now: Date): Promise<AuditEntry[]> {
  const codesOf = new Map<string, number>();
  const others = pace();
  for (let start = hour; start < later(hour, HOUR_MS); start = later(start, SLICE_MS)) {
    for (const { network, codes } of await sql.read(askers(start, later(start, SLICE_MS))))
      codesOf.set(network, (codesOf.get(network) ?? 0) + codes);
    await others();
  }
  const most = [...codesOf].sort(([, one], [, other]) => other - one);
  const [named, further] = [most.slice(0, MOST_NAMED), most.slice(MOST_NAMED)];
  const entry = (subjectId: string, codes: number, detail: Record<string, string>): AuditEntry => ({
    at: now,
    action: "link.ask",
    subjectId,
    actorId: null,
    detail: { ...detail, codes: String(codes), hour: hour.toISOString() },
  });
  const entries = named.map(([network, codes]) => entry(network, codes, { network }));
  if (further.length === 0) return entries;
  const sum = further.reduce((before, [, codes]) => before + codes, 0);
  return [...entries, entry(SERVICE, sum, { networks: String(further.length) })];
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
