import { sql } from "@/lib/db/client";
import { rangeOf, type Times } from "./range";
import { type Between, type By, type EventOrder, type EventRow, events, eventsAmong, nthBeyond } from "./rows";

/** Which events. Without any of these, all. */
export interface AuditFilter extends Times {
  /** A user's id, or `OPERATOR`; null: nobody was signed in. */
  actorId?: string | null;
  actions?: readonly string[];
  subjectId?: string;
  network?: string;
}

export interface Found {
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
const MOST_READ = 500;
/** How long a page looks for events. What takes longer is continued with the next page. */
const PATIENCE_MS = 50;

/**
 * At most `size` events that match, between two ids. They are found by the index of the filter that has the fewest, of
 * which each statement reads 500 at most: so a page can be short, and even empty, before the last.
 */
export async function searchEvents(
  filter: AuditFilter,
  order: EventOrder,
  size: number,
  between: Partial<Between> = {},
  patienceMs = PATIENCE_MS,
): Promise<Found> {
  const end = performance.now() + patienceMs;
  const range = await rangeOf(filter, between);
  return searchWithin(filter, order, size, range, end - performance.now());
}

/** The same in a range of `rangeOf`, which is found once for many pages. */
export async function searchWithin(
  filter: AuditFilter,
  order: EventOrder,
  size: number,
  between: Between,
  patienceMs = PATIENCE_MS,
): Promise<Found> {
  const range = { ...between };
  const rows: EventRow[] = [];
  let now = performance.now();
  const end = now + patienceMs;
  for (let most = FIRST_READ; ; ) {
    const step = await searchOnce(filter, order, size - rows.length, range, most);
    rows.push(...step.rows);
    const tookMs = performance.now() - now;
    now += tookMs;
    if (step.reached === null) return { rows, reached: null };
    if (rows.length >= size || now >= end) return { rows, reached: step.reached };
    if (order === "newest first") range.before = step.reached;
    else range.after = step.reached;
    most = Math.ceil(Math.min(2 * most, MOST_READ, (most * (end - now)) / tookMs));
  }
}

async function searchOnce(
  filter: AuditFilter,
  order: EventOrder,
  size: number,
  range: Between,
  most: number,
): Promise<Found> {
  const { actions, since, until } = filter;
  const [action] = actions?.length === 1 ? actions : [];
  const finders: By[] = [
    ...(filter.subjectId === undefined ? [] : [{ column: "subjectId" as const, value: filter.subjectId }]),
    ...(filter.network === undefined ? [] : [{ column: "network" as const, value: filter.network }]),
    ...(filter.actorId === undefined ? [] : [{ column: "actorId" as const, value: filter.actorId }]),
    ...(action === undefined ? [] : [{ column: "action" as const, value: action }]),
  ];
  const left = action === undefined ? actions : undefined;
  const [first, ...more] = finders;
  // Every event in the index of a single filter matches.
  if (!first)
    return allIn(left?.map((value) => ({ column: "action", value })) ?? [undefined], filter, order, size, range, most);
  if (more.length === 0 && !left) return allIn([first], filter, order, size, range, most);

  const { by, limit } = await sparsest([first, ...more], order, range, most);
  const also = { since, until, others: finders.filter((one) => one !== by), actions: left };
  const rows = await sql.read(eventsAmong(by, most, range, also, order, size));
  return { rows, reached: rows.length === size ? (rows.at(-1)?.id ?? null) : limit };
}

/** All events in these indexes, or all there are, of which only the time is compared. */
async function allIn(
  bys: readonly (By | undefined)[],
  { since, until }: AuditFilter,
  order: EventOrder,
  size: number,
  { after, before }: Between,
  most: number,
): Promise<Found> {
  const isNewestFirst = order === "newest first";
  // At the edges of a range of times are events of others.
  const read = since || until ? Math.max(size, most) : size;
  const found = await Promise.all(bys.map((by) => sql.read(events(by, isNewestFirst ? before : after, order, read))));
  const nearest = found
    .flat()
    .filter(({ id }) => id > after && id < before)
    .sort((a, b) => (isNewestFirst ? b.id - a.id : a.id - b.id))
    .slice(0, read);
  const rows = nearest.filter(({ at }) => !(since && at < since) && !(until && at > until)).slice(0, size);
  const last = rows.length === size ? rows.at(-1) : nearest.length === read ? nearest.at(-1) : undefined;
  return { rows, reached: last?.id ?? null };
}

/** The index to search by, and the id of its `most`-th event; null if it has no more than these in the range. */
async function sparsest(
  [first, ...more]: [By, ...By[]],
  order: EventOrder,
  { after, before }: Between,
  most: number,
): Promise<{ by: By; limit: number | null }> {
  const isNewestFirst = order === "newest first";
  let best = { by: first, limit: isNewestFirst ? before : after };
  for (const by of [first, ...more]) {
    const [nth] = await sql.read(nthBeyond(by, isNewestFirst ? before : after, order, most));
    if (!nth || nth.id <= after || nth.id >= before) return { by, limit: null };
    if (isNewestFirst ? nth.id < best.limit : nth.id > best.limit) best = { by, limit: nth.id };
  }
  return best;
}
