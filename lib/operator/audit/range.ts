import { sql } from "@/lib/db/client";
import { type Between, firstAndLast, firstFrom } from "./rows";

/** How far the times of events may be out of the order of their ids: clocks of processes, and long transactions. */
const DISORDER_MS = 60_000;
const NO_END = Number.MAX_SAFE_INTEGER;

export interface Times {
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
