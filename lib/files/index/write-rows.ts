import { sql } from "@/lib/db/client";
import { pace } from "@/lib/turn-of-others";
import type { IndexEntry } from "./entry-row";
import { insertRows, removeRows } from "./rows";

/** Rows written per statement: SQLite does nothing else meanwhile. */
export const ROWS_AT_ONCE = 500;
/** Pieces per statement when their rows are removed. */
const PIECES_AT_ONCE = 20;

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
  for (let from = 0; from < pieceIds.length; from += PIECES_AT_ONCE)
    await sql.batch([removeRows(pieceIds.slice(from, from + PIECES_AT_ONCE))]);
}
