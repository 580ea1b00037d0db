import { type NamedEvent, withNames } from "./events";
import { type AuditFilter, searchEvents } from "./search";

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
  const { rows, reached } = await searchEvents(filter, "newest first", size + 1, { before });
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
  const { rows } = await searchEvents({}, "oldest first", 1, { after: id - 1 });
  return rows[0]?.at ?? null;
}

/** How many events that match are newer than this one, counted to `most`. */
export async function countNewer(filter: AuditFilter, after: number, most: number): Promise<number> {
  return (await searchEvents(filter, "oldest first", most, { after })).rows.length;
}
