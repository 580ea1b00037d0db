import { setTimeout as sleep } from "node:timers/promises";
import { type AuditedEvent, withActors } from "./events";
import { rangeOf } from "./range";
import { type AuditFilter, searchWithin } from "./search";

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
  signal: AbortSignal,
  everyMs = EVERY_MS,
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
      const { rows, reached } = await searchWithin(filter, "oldest first", PAGE, { ...range, after: from });
      const fresh = rows.filter(({ id }) => !seen.has(id));
      for (const { id } of fresh) seen.set(id, now);
      if (fresh.length > 0) yield await withActors(fresh);
      from = reached;
    }
    await sleep(everyMs, undefined, { signal }).catch(() => {});
  }
}
