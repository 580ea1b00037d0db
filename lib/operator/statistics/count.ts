import {
  auditCodeRequests,
  countLinkStates,
  countOutcomes,
  firstCodeSince,
  outcomesCountedTo,
} from "@/lib/link/operator";
import { APPROVE_WITHIN_SECONDS, REUSE_AFTER_SECONDS } from "@/lib/link/states";
import { ACCESSES } from "@/lib/platform/access";
import { auditEvents } from "@/lib/platform/audit";
import type { AuditAction } from "@/lib/platform/audit-events";
import { durationInWords } from "@/lib/platform/bounds";
import { db, sql } from "@/lib/platform/db/client";
import { pace } from "@/lib/platform/event-loop";
import { gauge } from "@/lib/platform/metrics";
import { HOUR_MS, later, startOfHour } from "@/lib/platform/time";
import { type CountedEvent, eventsAfter } from "@/lib/user-data/queries";
import {
  addToHour,
  MARK,
  passEvents,
  passLinks,
  type StoredAmounts,
  setLinks,
  someDocuments,
  someKeys,
  someUsers,
} from "./queries";

/** Counted with one statement: on SQLite, others wait for it. */
const AT_ONCE = 2_000;

/** Counts what is stored now, in small steps. */
export async function countStored(): Promise<StoredAmounts> {
  const [users, keys, documents] = [await userTotals(), await keyTotals(), await documentTotals()];
  return { users: users.rows, keys: keys.rows, keyBytes: keys.sum, fileBytes: documents.sum };
}

/** All accounts. */
const userTotals = () => total(someUsers);
/** All keys, and the bytes of their data. */
const keyTotals = () => total(someKeys);
/** All documents, and their bytes. */
const documentTotals = () => total(someDocuments);

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

/** Counted with one transaction. */
const PER_TRANSACTION = 100_000;
/**
 * Longer than a transaction may take. On PostgreSQL, one event may be committed after another that has a higher number,
 * so nothing is counted past one that is younger than this.
 */
const SETTLED_MS = 2 * 60_000;

const COUNTED = { "user.signin": "signIns", "user.create": "signUps" } as const satisfies Partial<
  Record<AuditAction, string>
>;

type Counts = Record<(typeof COUNTED)[keyof typeof COUNTED], number>;

/**
 * Adds the sign-ins and sign-ups since the last time to their hours. Several processes may do so at once: each event is
 * counted once.
 */
export async function countEvents(now: Date): Promise<void> {
  while (await countSome(now));
}

/** Returns whether there may be more to count. */
async function countSome(now: Date): Promise<boolean> {
  const { eventId } = await db.statisticsMark.findUniqueOrThrow({ where: { id: MARK } });
  const from = Number(eventId);
  const { hours, to, isMore } = await readSome(from, now);
  if (to > from)
    await sql.write(async (tx) => {
      if ((await tx.write(passEvents(from, to))) === 0) return;
      for (const [at, { signIns, signUps }] of hours) await tx.write(addToHour(new Date(at), signIns, signUps));
    });
  return isMore;
}

async function readSome(from: number, now: Date): Promise<{ hours: Map<number, Counts>; to: number; isMore: boolean }> {
  const hours = new Map<number, Counts>();
  const others = pace();
  let to = from;
  while (to < from + PER_TRANSACTION) {
    const events = await sql.read(eventsAfter(to, AT_ONCE));
    const settled = events.slice(0, firstUnsettled(events, now));
    for (const { at, action } of settled) {
      const counted = COUNTED[action as keyof typeof COUNTED];
      if (!counted) continue;
      const hour = startOfHour(at).getTime();
      const counts = hours.get(hour) ?? { signIns: 0, signUps: 0 };
      hours.set(hour, counts);
      counts[counted]++;
    }
    to = settled.at(-1)?.id ?? to;
    if (settled.length < AT_ONCE) return { hours, to, isMore: false };
    await others();
  }
  return { hours, to, isMore: true };
}

/** An event in the future is from a clock that was wrong, and is not waited for. */
function firstUnsettled(events: CountedEvent[], now: Date): number {
  const index = events.findIndex(({ at }) => at > later(now, -SETTLED_MS) && at <= now);
  return index === -1 ? events.length : index;
}

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
    const requests = isSettled ? await auditCodeRequests(hour, now) : [];
    await sql.write(async (tx) => {
      if ((await tx.write(passLinks(hour, isSettled ? end : open))) === 0) return;
      await tx.write(setLinks(hour, counted));
      if (requests.length > 0) await tx.write(auditEvents(...requests));
    });
    hour = end;
  }
}

/** Declares the metrics that are read from the database on each request. */
export function measureStored(): void {
  const period = durationInWords(APPROVE_WITHIN_SECONDS);
  gauge(
    "latchkey_link_requests",
    { help: `Requests of the last ${period} to link a program, by state`, labelNames: ["state"] },
    async () => Object.entries(await countLinkStates()).map(([state, count]) => [{ state }, count]),
  );
  gauge(
    "latchkey_stored_bytes",
    { help: "Bytes that users have stored, as their quotas count them", labelNames: ["in"] },
    async () => [
      [{ in: "keys" }, (await keyTotals()).sum],
      [{ in: "files" }, (await documentTotals()).sum],
    ],
  );
  gauge(
    "latchkey_tokens",
    { help: "Tokens by access; account: one for each account", labelNames: ["access"] },
    async () => [
      [{ access: "account" }, (await userTotals()).rows],
      ...(await countTokens()).map(([access, count]): [{ access: string }, number] => [{ access }, count]),
    ],
  );
  gauge("latchkey_passkeys", { help: "Passkeys of all accounts" }, async () => [[{}, await db.passkey.count()]]);
  gauge("latchkey_claims", { help: "Times that a key was accepted with a claim link" }, async () => [
    [{}, await db.claim.count()],
  ]);
  gauge("latchkey_users", { help: "Accounts" }, async () => [[{}, (await userTotals()).rows]]);
}

/** Tokens of programs' own, also ended ones that are still listed. */
async function countTokens(): Promise<[string, number][]> {
  const counted = await db.accessToken.groupBy({ by: ["access"], _count: true });
  return ACCESSES.map((access) => [access, counted.find((one) => one.access === access)?._count ?? 0]);
}
