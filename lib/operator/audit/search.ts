import { sql } from "@/lib/db/client";
import {
  type Between,
  type By,
  type EventOrder,
  type EventRow,
  events,
  firstAndLast,
  firstFrom,
  idBeyond,
} from "./rows";

/** Which events. Without any of these, all. */
export interface AuditFilter {
  /** A user's id, or `OPERATOR`; null: nobody was signed in. */
  actorId?: string | null;
  actions?: readonly string[];
  subjectId?: string;
  network?: string;
  since?: Date;
  until?: Date;
}

export interface Found {
  rows: EventRow[];
  /**
   * The id of the last event that was looked at, if there may be more beyond: what to continue from. Null: this was
   * everything.
   */
  reached: number | null;
}

/** Events that one statement reads at most to find those that match. */
const MOST_READ = 2_000;
/** How long a page looks for events. What takes longer is continued with the next page. */
const PATIENCE_MS = 60;
/** How far the times of events may be out of the order of their ids: clocks of processes, and long transactions. */
const DISORDER_MS = 60_000;
const NO_END = Number.MAX_SAFE_INTEGER;

/**
 * At most `size` events that match, between two ids. They are found by the index of the filter that has the fewest, of
 * which each statement reads 2,000 at most: so a page can be short, and even empty, before the last.
 */
export async function searchEvents(
  filter: AuditFilter,
  order: EventOrder,
  size: number,
  between: Partial<Between> = {},
  patienceMs = PATIENCE_MS,
): Promise<Found> {
  return searchWithin(filter, order, size, await rangeOf(filter, between), patienceMs);
}

/** The same in a range of `rangeOf`, which is found once for many pages. */
export async function searchWithin(
  filter: AuditFilter,
  order: EventOrder,
  size: number,
  between: Between,
  patienceMs = PATIENCE_MS,
): Promise<Found> {
  const end = performance.now() + patienceMs;
  const range = { ...between };
  const rows: EventRow[] = [];
  for (;;) {
    const step = await searchOnce(filter, order, size - rows.length, range);
    rows.push(...step.rows);
    if (step.reached === null) return { rows, reached: null };
    if (rows.length >= size || performance.now() >= end) return { rows, reached: step.reached };
    if (order === "newest first") range.before = step.reached;
    else range.after = step.reached;
  }
}

async function searchOnce(filter: AuditFilter, order: EventOrder, size: number, range: Between): Promise<Found> {
  const { actions, since, until } = filter;
  const [action] = actions?.length === 1 ? actions : [];
  const finders: By[] = [
    ...(filter.subjectId === undefined ? [] : [{ column: "subjectId" as const, value: filter.subjectId }]),
    ...(filter.network === undefined ? [] : [{ column: "network" as const, value: filter.network }]),
    ...(filter.actorId === undefined ? [] : [{ column: "actorId" as const, value: filter.actorId }]),
    ...(action === undefined ? [] : [{ column: "action" as const, value: action }]),
  ];
  const also = { since, until };
  if (finders.length === 0 && actions) return ofEach(actions, order, size, range, also);
  const left = action === undefined ? actions : undefined;
  // Every event in the index of a single filter matches.
  const isAlone = finders.length < 2 && !left;
  const { by, limit } = isAlone ? { by: finders[0], limit: null } : await sparsest(finders, order, range);
  const others = finders.filter((one) => one !== by);
  const rows = await sql.read(
    events(by, limited(range, order, limit), { ...also, others, actions: left }, order, size),
  );
  if (rows.length === size) return { rows, reached: rows.at(-1)?.id ?? null };
  return { rows, reached: limit };
}

/** Several actions are looked for one by one: their index has no order for all of them together. */
async function ofEach(
  actions: readonly string[],
  order: EventOrder,
  size: number,
  range: Between,
  also: Pick<AuditFilter, "since" | "until">,
): Promise<Found> {
  const found = await Promise.all(
    actions.map((value) => sql.read(events({ column: "action", value }, range, { ...also, others: [] }, order, size))),
  );
  const rows = found
    .flat()
    .sort((a, b) => (order === "newest first" ? b.id - a.id : a.id - b.id))
    .slice(0, size);
  return { rows, reached: rows.length === size ? (rows.at(-1)?.id ?? null) : null };
}

/** The index to search by, and the id up to which it has 2,000 events; null if it has no more than these. */
async function sparsest(finders: By[], order: EventOrder, range: Between): Promise<{ by?: By; limit: number | null }> {
  let best: { by: By; limit: number } | undefined;
  for (const by of finders) {
    const [beyond] = await sql.read(idBeyond(by, range, order, MOST_READ));
    if (!beyond) return { by, limit: null };
    const isFurther = order === "newest first" ? beyond.id < (best?.limit ?? NO_END) : beyond.id > (best?.limit ?? -1);
    if (isFurther) best = { by, limit: beyond.id };
  }
  return best ?? { limit: null };
}

const limited = (range: Between, order: EventOrder, limit: number | null): Between => {
  if (limit === null) return range;
  return order === "newest first" ? { ...range, after: limit - 1 } : { ...range, before: limit + 1 };
};

/** The range without the ids of other times, as far as ids and times have the same order. */
export async function rangeOf({ since, until }: AuditFilter, between: Partial<Between>): Promise<Between> {
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
