import { sql } from "@/lib/db/client";
import { stepSize } from "@/lib/turn-of-others";
import type { IndexEntry } from "./entry-row";
import { insertRows } from "./rows";

/** Rows that are collected before they are written. */
export const MOST_ROWS = 500;

/**
 * Rows written per statement: SQLite does nothing else meanwhile. Rows of as many folders are on pages of their own in
 * each of seven indexes, and the commit writes all of these; rows of one folder are beside each other.
 */
const rows = stepSize(100, MOST_ROWS);

/** Writes index rows; existing ones get these keys. Their pieces must exist. */
export async function insertIndex(entries: readonly IndexEntry[]): Promise<void> {
  for (let from = 0; from < entries.length; )
    from += await rows.step(async (most) => {
      const some = entries.slice(from, from + most);
      await sql.batch([insertRows(some)]);
      return some.length;
    });
}
