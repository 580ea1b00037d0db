import { sql } from "@/lib/db/client";
import { turnOfOthers } from "@/lib/turn-of-others";
import type { IndexEntry } from "./entry-row";
import { insertRows } from "./rows";

/**
 * Rows written per statement: SQLite does nothing else meanwhile. Rows of as many folders are on pages of their own in
 * each of seven indexes, and the commit writes all of these.
 */
export const ROWS_AT_ONCE = 100;

/** Writes index rows; existing ones get these keys. Their pieces must exist. */
export async function insertIndex(entries: readonly IndexEntry[]): Promise<void> {
  for (let from = 0; from < entries.length; from += ROWS_AT_ONCE) {
    // A statement with its commit is a step of its own.
    await turnOfOthers();
    await sql.batch([insertRows(entries.slice(from, from + ROWS_AT_ONCE))]);
  }
}
