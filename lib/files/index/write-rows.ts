import { sql } from "@/lib/db/client";
import { pace, turnOfOthers } from "@/lib/turn-of-others";
import type { IndexEntry } from "./entry-row";
import { insertRows, removeRows } from "./rows";

/**
 * Rows written or removed per statement: SQLite does nothing else meanwhile. Rows of as many folders are on pages of
 * their own in each of seven indexes, and the commit writes all of these.
 */
export const ROWS_AT_ONCE = 100;

/** Writes index rows; existing ones get these keys. Their pieces must exist. */
export async function insertIndex(entries: readonly IndexEntry[]): Promise<void> {
  const turn = pace();
  for (let from = 0; from < entries.length; from += ROWS_AT_ONCE) {
    await turn();
    await sql.batch([insertRows(entries.slice(from, from + ROWS_AT_ONCE))]);
  }
}

/** Removes the rows of pieces that are no longer live. */
export async function deleteIndex(pieceIds: readonly string[]): Promise<void> {
  for (const pieceId of pieceIds)
    for (let removed = ROWS_AT_ONCE; removed === ROWS_AT_ONCE; await turnOfOthers())
      removed = await sql.write((tx) => tx.write(removeRows(pieceId, ROWS_AT_ONCE)));
}
