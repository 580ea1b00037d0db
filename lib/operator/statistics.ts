import { setTimeout as sleep } from "node:timers/promises";
import {
  auditCodeRequests,
  countLinkStates,
  countOutcomes,
  firstCodeSince,
  outcomesCountedTo,
} from "@/lib/link/operator";
import { APPROVE_WITHIN_SECONDS } from "@/lib/link/states";
import { ACCESSES } from "@/lib/platform/access";
import { type AuditEntry, auditEvents } from "@/lib/platform/audit";
import { durationInWords } from "@/lib/platform/bounds";
import { db, sql } from "@/lib/platform/db/client";
import { insert } from "@/lib/platform/db/statement";
import { pace } from "@/lib/platform/event-loop";
import { REFUSED } from "@/lib/platform/limits/refusals";
import { log } from "@/lib/platform/log";
import { gauge } from "@/lib/platform/metrics";
import { keepAwake, perProcess } from "@/lib/platform/process";
import { DAY_MS, HOUR_MS, later, startOfDay, startOfHour } from "@/lib/platform/time";
import { matchingEvents } from "./audit/export";
import { type Measurement, measurementsSince, someDocuments, someKeys, someUsers } from "./queries";

/** A process counts no more often. */
const EVERY_MS = 60_000;
/** Nor may counting take more than this part of its time. */
const PART_OF_TIME = 20;
/** How long a page waits for a count that is due. */
const PATIENCE_MS = 500;

/** What was counted, as of when. */
interface Counted<Value> {
  value: Value;
  at: Date;
}

/**
 * A count that takes long where much is stored. A process counts at most once a minute, takes a twentieth of its time
 * for it at most, and never counts the same twice at once. `now` waits for a count that is due; `soon` waits for half a
 * second, then returns the last one, or null before the first, and counting goes on.
 */
export function cached<Value>(name: string, count: () => Promise<Value>) {
  type State = { last?: Counted<Value>; dueAt: number; running?: Promise<Counted<Value>> };
  const state = perProcess(`count of ${name}`, (): State => ({ dueAt: 0 }));
  const run = async (): Promise<Counted<Value>> => {
    const [at, began] = [new Date(), performance.now()];
    const last = { value: await count(), at };
    const ended = performance.now();
    state.dueAt = ended + Math.max(EVERY_MS, PART_OF_TIME * (ended - began));
    state.last = last;
    return last;
  };
  const now = (): Promise<Counted<Value>> => {
    if (state.last && performance.now() < state.dueAt) return Promise.resolve(state.last);
    state.running ??= run().finally(() => {
      state.running = undefined;
    });
    return state.running;
  };
  const soon = async (): Promise<Counted<Value> | null> => {
    const counting = now().catch((error) =>
      log.error({ err: error }, `counting ${name} failed; the next time tries again`),
    );
    keepAwake(counting);
    await Promise.race([counting, sleep(PATIENCE_MS, undefined, { ref: false })]);
    return state.last ?? null;
  };
  return { now, soon };
}

/** Numbers are kept for so long. */
export const MAX_DAYS = 30;

/** What happened in an hour in which nothing did; codes count in the hour in which they were asked for. */
const NOTHING = { signIns: 0, signUps: 0, asked: 0, linked: 0, denied: 0, expired: 0 };

/**
 * Records what no other table tells for long: what happened in the hours that are over and settled, and what is stored
 * now. Returns what happened in the hours since. However late it comes and however many processes do it at once, every
 * hour is recorded once, as long as it comes before the sweep of codes.
 */
export async function recordHours(now: Date): Promise<Measurement[]> {
  const open = await countHours(now);
  await sql.batch([
    insert("Measurement", rowsOf(startOfHour(now), await countStored()), { unique: ["at", "name"], set: ["value"] }),
  ]);
  await db.measurement.deleteMany({ where: { at: { lt: firstHour(now) } } });
  return open;
}

const firstHour = (now: Date) => later(startOfDay(now), (1 - MAX_DAYS) * DAY_MS);

const rowsOf = (at: Date, numbers: Record<string, number>): Measurement[] =>
  Object.entries(numbers).map(([name, value]) => ({ name, at, value }));

async function countHours(now: Date): Promise<Measurement[]> {
  const last = await db.measurement.findFirst({
    where: { name: { in: Object.keys(NOTHING) }, at: { gte: firstHour(now), lte: now } },
    orderBy: { at: "desc" },
  });
  const from = last ? later(last.at, HOUR_MS) : firstHour(now);
  const [signs, firstCode] = [await countSigns(from), await firstCodeSince(from)];
  const open: Measurement[] = [];
  for (let hour = from; hour <= now; hour = later(hour, HOUR_MS)) {
    const end = later(hour, HOUR_MS);
    const links = firstCode && firstCode < end ? await countOutcomes(hour, now) : undefined;
    const rows = rowsOf(hour, { ...NOTHING, ...signs.get(hour.getTime()), ...links }).filter(({ value }) => value > 0);
    if (end > outcomesCountedTo(now)) open.push(...rows);
    else if (rows.length > 0) await record(rows, links?.asked ? await auditCodeRequests(hour, now) : []);
  }
  return open;
}

/** Records an hour for good, and the networks that asked for codes in it, unless another process did. */
async function record(rows: Measurement[], requests: AuditEntry[]): Promise<void> {
  await sql.write(async (tx) => {
    if ((await tx.write(insert("Measurement", rows, { unique: ["at", "name"], set: [] }))) === 0) return;
    if (requests.length > 0) await tx.write(auditEvents(...requests));
  });
}

const SIGNED: Record<string, "signIns" | "signUps"> = { "user.signin": "signIns", "user.create": "signUps" };

/** Sign-ins and sign-ups from this time on, by the beginnings of their hours. */
async function countSigns(since: Date): Promise<Map<number, { signIns: number; signUps: number }>> {
  const hours = new Map<number, { signIns: number; signUps: number }>();
  for await (const events of matchingEvents({ actions: Object.keys(SIGNED), since }))
    for (const { at, action } of events) {
      const hour = startOfHour(at).getTime();
      const counts = hours.get(hour) ?? { signIns: 0, signUps: 0 };
      hours.set(hour, counts);
      counts[SIGNED[action] ?? "signIns"]++;
    }
  return hours;
}

/** Counted with one statement: on SQLite, others wait for it. */
const AT_ONCE = 2_000;

/** Counts what is stored now, in small steps; bytes as quotas count them. */
async function countStored() {
  const [users, keys, documents] = [await total(someUsers), await total(someKeys), await total(someDocuments)];
  return { users: users.rows, keys: keys.rows, keyBytes: keys.sum, fileBytes: documents.sum };
}

/** Adds up a table, step by step. */
async function total(some: typeof someUsers): Promise<{ rows: number; sum: number }> {
  const added = { rows: 0, sum: 0 };
  const others = pace();
  for (let after = ""; ; ) {
    const [step] = await sql.read(some(after, AT_ONCE));
    added.rows += step?.rows ?? 0;
    added.sum += step?.sum ?? 0;
    if (!step || step.last === null || step.count < AT_ONCE) return added;
    after = step.last;
    await others();
  }
}

const countAll = async () => ({
  ...(await countStored()),
  passkeys: await db.passkey.count(),
  claims: await db.claim.count(),
  // Also ended ones that are still listed.
  tokens: await db.accessToken.groupBy({ by: ["access"], _count: true }),
});
const stored = cached("what is stored", countAll);

type Measured = [labels: { in?: string; access?: string }, value: number];

/** Declares the metrics that are read from the database. */
export function measureStored(): void {
  const period = durationInWords(APPROVE_WITHIN_SECONDS);
  gauge(
    "latchkey_link_requests",
    { help: `Requests of the last ${period} to link a program, by state`, labelNames: ["state"] },
    async () => Object.entries(await countLinkStates()).map(([state, count]) => [{ state }, count]),
  );
  const gaugeOf = (name: string, help: string, read: (all: Awaited<ReturnType<typeof countAll>>) => Measured[]) =>
    gauge(name, { help, labelNames: ["in", "access"] }, async () => read((await stored.now()).value));
  gaugeOf("latchkey_stored_bytes", "Bytes that users have stored, as their quotas count them", (all) => [
    [{ in: "keys" }, all.keyBytes],
    [{ in: "files" }, all.fileBytes],
  ]);
  gaugeOf("latchkey_tokens", "Tokens by access; account: one for each account", ({ users, tokens }) => [
    [{ access: "account" }, users],
    ...ACCESSES.map((access): Measured => [{ access }, tokens.find((one) => one.access === access)?._count ?? 0]),
  ]);
  gaugeOf("latchkey_passkeys", "Passkeys of all accounts", ({ passkeys }) => [[{}, passkeys]]);
  gaugeOf("latchkey_claims", "Times that a key was accepted with a claim link", ({ claims }) => [[{}, claims]]);
  gaugeOf("latchkey_users", "Accounts", ({ users }) => [[{}, users]]);
}

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
