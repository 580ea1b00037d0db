import { OPERATOR } from "@/lib/platform/audit";
import { sql } from "@/lib/platform/db/client";
import {
  accounts,
  type Between,
  type By,
  type EventOrder,
  type EventRow,
  events,
  firstAndLast,
  firstFrom,
} from "./queries";

/** How far the times of events may be out of the order of their ids: clocks of processes, and long transactions. */
const DISORDER_MS = 60_000;
const NO_END = Number.MAX_SAFE_INTEGER;

interface Times {
  since?: Date;
  until?: Date;
}

/** The range without the ids of other times, as far as ids and times have the same order. */
export async function rangeOf({ since, until }: Times, between: Partial<Between>): Promise<Between> {
  const range = { after: between.after ?? 0, before: between.before ?? NO_END };
  if (!since && !until) return range;
  const [ends] = await sql.read(firstAndLast());
  const { first = 0, last = 0 } = ends ?? {};
  const after = since ? (await firstIdAt(since.getTime() - DISORDER_MS, first, last)) - 1 : 0;
  const before = until ? await firstIdAt(until.getTime() + DISORDER_MS, first, last) : NO_END;
  return { after: Math.max(after, range.after), before: Math.min(before, range.before) };
}

/** The lowest id of an event at this time or later, by bisection; one above all others if there is none. */
async function firstIdAt(ms: number, first: number, last: number): Promise<number> {
  let [low, high] = [first, last + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [event] = await sql.read(firstFrom(middle));
    if (event && event.at.getTime() < ms) low = event.id + 1;
    else high = middle;
  }
  return low;
}

/** Which events. Without any of these, all. */
export interface AuditFilter extends Times {
  /** A user's id, or `OPERATOR`; null: nobody was signed in. */
  actorId?: string | null;
  actions?: readonly string[];
  subjectId?: string;
  network?: string;
}

interface Matches {
  rows: EventRow[];
  /**
   * The id of the last event that was looked at, if there may be more beyond: what to continue from. Null: this was
   * everything.
   */
  reached: number | null;
}

/**
 * Events that one statement reads at most to find those that match: few at first, since each may be on a page of its
 * own of a table that no memory holds, then as many as the time left allows.
 */
const FIRST_READ = 64;
const MAX_READ = 500;
/** How long a page looks for events. What takes longer is continued with the next page. */
const PATIENCE_MS = 50;

interface SearchOptions {
  order: EventOrder;
  size: number;
  patienceMs?: number;
}

/**
 * At most `size` events that match, between two ids. They are found by one index, of which each statement reads 500 at
 * most: so a page can be short, and even empty, before the last.
 */
export async function searchEvents(
  filter: AuditFilter,
  { order, size, patienceMs = PATIENCE_MS, ...between }: SearchOptions & Partial<Between>,
): Promise<Matches> {
  const end = performance.now() + patienceMs;
  const range = await rangeOf(filter, between);
  return searchWithin(filter, range, { order, size, patienceMs: end - performance.now() });
}

/** The same in a range of `rangeOf`, which is found once for many pages. */
export async function searchWithin(
  filter: AuditFilter,
  between: Between,
  { order, size, patienceMs = PATIENCE_MS }: SearchOptions,
): Promise<Matches> {
  const range = { ...between };
  const rows: EventRow[] = [];
  let now = performance.now();
  const end = now + patienceMs;
  for (let max = FIRST_READ; ; ) {
    const step = await searchOnce(filter, range, { order, size: size - rows.length, max });
    rows.push(...step.rows);
    const tookMs = performance.now() - now;
    now += tookMs;
    if (step.reached === null) return { rows, reached: null };
    if (rows.length >= size || now >= end) return { rows, reached: step.reached };
    if (order === "newest first") range.before = step.reached;
    else range.after = step.reached;
    max = Math.ceil(Math.min(2 * max, MAX_READ, (max * (end - now)) / tookMs));
  }
}

async function searchOnce(
  filter: AuditFilter,
  { after, before }: Between,
  { order, size, max }: { order: EventOrder; size: number; max: number },
): Promise<Matches> {
  const isNewestFirst = order === "newest first";
  const read = Math.max(size, max);
  const from = isNewestFirst ? before : after;
  const rowsOfEach = await Promise.all(leads(filter).map((by) => sql.read(events(by, { from, order, limit: read }))));
  const nearest = rowsOfEach
    .flat()
    .filter(({ id }) => id > after && id < before)
    .sort((a, b) => (isNewestFirst ? b.id - a.id : a.id - b.id))
    .slice(0, read);
  const rows = nearest.filter((event) => matches(filter, event)).slice(0, size);
  const last = rows.length === size ? rows.at(-1) : nearest.length === read ? nearest.at(-1) : undefined;
  return { rows, reached: last?.id ?? null };
}

/** What to look for in an index: what mostly has the fewest events. Undefined: all of them. */
function leads({ subjectId, actorId, network, actions }: AuditFilter): (By | undefined)[] {
  if (subjectId !== undefined) return [{ column: "subjectId", value: subjectId }];
  if (typeof actorId === "string") return [{ column: "actorId", value: actorId }];
  if (network !== undefined) return [{ column: "network", value: network }];
  if (actions) return actions.map((value) => ({ column: "action", value }));
  return [actorId === null ? { column: "actorId", value: null } : undefined];
}

function matches({ subjectId, actorId, network, actions, since, until }: AuditFilter, event: EventRow): boolean {
  return (
    (subjectId === undefined || event.subjectId === subjectId) &&
    (actorId === undefined || event.actorId === actorId) &&
    (network === undefined || event.network === network) &&
    (!actions || actions.includes(event.action)) &&
    !(since && event.at < since) &&
    !(until && event.at > until)
  );
}

/** An event with the name of who did it. */
export interface AuditedEvent extends Omit<EventRow, "detail"> {
  /** "operator" for the admin command. Null: nobody was signed in, or the account is gone. */
  actor: string | null;
  detail: Record<string, string>;
}

/** The events with the names of the accounts that did them, as far as these still exist. */
export async function withActors(rows: readonly EventRow[]): Promise<AuditedEvent[]> {
  const names = await namesOf(rows.map(({ actorId }) => actorId));
  // Field by field: V8 moves a tenth of all copies by spread to where only a full collection finds them, so that the
  // memory of an export rises and falls by a hundred megabytes.
  return rows.map(({ id, at, action, subjectId, actorId, detail, network }) => ({
    id,
    at,
    action,
    subjectId,
    actorId,
    actor: actorId === null ? null : (names.get(actorId) ?? null),
    network,
    detail: JSON.parse(detail),
  }));
}

/** An event with the name of the account that it happened to; null if it happened to something else. */
export type NamedEvent = AuditedEvent & { subject: string | null };

/** The same, and the names of the accounts that they happened to. */
export async function withNames(rows: readonly EventRow[]): Promise<NamedEvent[]> {
  const names = await namesOf(rows.map(({ subjectId }) => subjectId));
  return (await withActors(rows)).map((event) => ({ ...event, subject: names.get(event.subjectId) ?? null }));
}

async function namesOf(ids: (string | null)[]): Promise<Map<string, string>> {
  const requested = new Set(ids.flatMap((id) => (id === null || id === OPERATOR ? [] : id)));
  const users = requested.size > 0 ? await sql.read(accounts(requested)) : [];
  return new Map([[OPERATOR, OPERATOR], ...users.map(({ id, username }): [string, string] => [id, username])]);
}
