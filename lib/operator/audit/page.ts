import { setTimeout as sleep } from "node:timers/promises";
import {
  type AuditedEvent,
  type AuditFilter,
  type NamedEvent,
  rangeOf,
  searchEvents,
  searchWithin,
  withActors,
  withNames,
} from "./search";

export interface PageOfEvents {
  /** Newest first. */
  events: NamedEvent[];
  /** The id of the newest event, of those that match: from here on, events are new. */
  newest: number;
  /** What the next page begins before; null if there is none. */
  next: number | null;
  /** Since when nothing else was found, if the search was interrupted before the page was full. */
  searchedBackTo: Date | null;
}

/** A page of the events that match, newest first. `before` is an event's id: only older ones. */
export async function auditPage(filter: AuditFilter, size: number, before?: number): Promise<PageOfEvents> {
  const { rows, reached } = await searchEvents(filter, { order: "newest first", size: size + 1, before });
  const shown = rows.slice(0, size);
  const next = rows.length > size ? (shown.at(-1)?.id ?? null) : reached;
  return {
    events: await withNames(shown),
    newest: rows[0]?.id ?? 0,
    next,
    searchedBackTo: rows.length <= size && reached !== null ? await timeOfEvent(reached) : null,
  };
}

async function timeOfEvent(id: number): Promise<Date | null> {
  const { rows } = await searchEvents({}, { order: "oldest first", size: 1, after: id - 1 });
  return rows[0]?.at ?? null;
}

/** How many events that match are newer than this one, counted to `max`. */
export async function countNewer(filter: AuditFilter, after: number, max: number): Promise<number> {
  return (await searchEvents(filter, { order: "oldest first", size: max, after })).rows.length;
}

/** How often new events are looked for. */
const EVERY_MS = 1_000;
/** How long an event with a lower id may become visible after one with a higher id: transactions end in any order. */
const LATE_MS = 5_000;
const PAGE = 500;

/**
 * New events that match, as they are recorded after the one with the id `after`, until `signal` is aborted. Each is
 * returned once, and those of concurrent transactions are too, though they may be out of order.
 */
export async function* newEvents(
  filter: AuditFilter,
  after: number,
  { signal, everyMs = EVERY_MS }: { signal: AbortSignal; everyMs?: number },
): AsyncGenerator<AuditedEvent[]> {
  /** All up to here were returned long enough ago; `seen` has those beyond, and when. */
  let settled = after;
  const seen = new Map<number, number>();
  const range = await rangeOf({}, {});
  while (!signal.aborted) {
    const now = performance.now();
    for (const [id, since] of seen)
      if (since < now - LATE_MS) {
        settled = Math.max(settled, id);
        seen.delete(id);
      }
    for (let from: number | null = settled; from !== null; ) {
      const { rows, reached } = await searchWithin(
        filter,
        { ...range, after: from },
        { order: "oldest first", size: PAGE },
      );
      const fresh = rows.filter(({ id }) => !seen.has(id));
      for (const { id } of fresh) seen.set(id, now);
      if (fresh.length > 0) yield await withActors(fresh);
      from = reached;
    }
    await sleep(everyMs, undefined, { signal }).catch(() => {});
  }
}
