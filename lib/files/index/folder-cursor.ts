import { isEntryId } from "../entry-id";
import type { SortedBy, Standing } from "./folder-order";

/** We issue no longer cursors. */
const MOST_CURSOR = 700;
const HEX = /^(?:[0-9a-f]{2}){0,130}$/;

/** A position in the ordered list of a folder, and on which side of it the page is. */
export interface Cursor {
  side: "after" | "before";
  standing: Standing;
  /** The number of entries before the position, as far as counted. */
  counted: number | null;
}

/** The cursor for an address. It is valid only in the order it was made in. */
export function writeCursor({ side, standing, counted }: Cursor, sort: SortedBy, descending: boolean): string {
  const { rank, value, nameKey, rowId, entryId } = standing;
  return Buffer.from(
    JSON.stringify([order(sort, descending), side, rank, value, nameKey, rowId, entryId, counted]),
  ).toString("base64url");
}

/** The cursor in an address; undefined if it is not a cursor of this order, which means the first page. */
export function readCursor(text: string, sort: SortedBy, descending: boolean): Cursor | undefined {
  if (text === "" || text.length > MOST_CURSOR) return undefined;
  const [of, side, rank, value, nameKey, rowId, entryId, counted] = parsed(text);
  const isValue = sort === "type" ? isHex(value) : isNumber(value);
  if (of !== order(sort, descending) || (side !== "after" && side !== "before") || (rank !== 0 && rank !== 1))
    return undefined;
  if (
    !isValue ||
    !(isHex(value) || isNumber(value)) ||
    !isHex(nameKey) ||
    !isWhole(rowId) ||
    !(entryId === "" || isId(entryId)) ||
    !(counted === null || isWhole(counted))
  )
    return undefined;
  return { side, standing: { rank, value, nameKey, rowId, entryId }, counted };
}

function parsed(text: string): unknown[] {
  try {
    const sent: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    return Array.isArray(sent) ? sent : [];
  } catch {
    return [];
  }
}

const order = (sort: SortedBy, descending: boolean) => `${sort}${descending ? " down" : ""}`;
const isHex = (sent: unknown): sent is string => typeof sent === "string" && HEX.test(sent);
const isId = (sent: unknown): sent is string => typeof sent === "string" && isEntryId(sent);
const isNumber = (sent: unknown): sent is number => Number.isSafeInteger(sent);
const isWhole = (sent: unknown): sent is number => isNumber(sent) && sent >= 0;
