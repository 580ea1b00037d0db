import { sql } from "@/lib/db/client";
import type { Caller } from "@/lib/user";
import { type ListKind, type Order, readOrder } from "./listing/order";
import { countHeld, heldOfEach, heldPage, holderCounts, matching, type SummaryRow } from "./listing/rows";
import { readPage } from "./search";

/** Keys per page. */
export const KEYS_A_PAGE = 25;

/** A key in a list: what may be shown without revealing the secret. */
export interface KeySummary {
  id: string;
  name: string;
  price: string;
  creator: string;
  /** Since when the caller holds it. */
  since: Date;
  /** When that ends; null if never. */
  until: Date | null;
  /** How many users hold it; null unless the caller created it. */
  holders: number | null;
  /** How many keys of the same creator the caller holds; null if the caller created it. */
  ofCreator: number | null;
}

export interface KeyList {
  keys: KeySummary[];
  kind: ListKind;
  order: Order;
  /** Number of matches: keys the caller created, and keys others gave the caller. */
  made: number;
  given: number;
  /** The page in `keys`, counted from 1. */
  page: number;
}

/**
 * One page of the keys of one kind that the caller holds, sorted as `sort` says (`readOrder`). Without a kind, it is
 * the keys the caller created, or those of others if there are only such. A page number past the end gives the last
 * page.
 */
export async function listKeys(
  caller: Caller,
  asked: { kind: ListKind | undefined; search: string; page: string; sort?: string },
): Promise<KeyList> {
  const found = matching(asked.search);
  const [counted] = await sql.read(countHeld(caller.id, found));
  const made = counted?.made ?? 0;
  const given = (counted?.all ?? 0) - made;
  const kind = asked.kind ?? (made === 0 && given > 0 ? "given" : "made");
  const order = readOrder(asked.sort ?? "", kind);
  const total = kind === "made" ? made : given;
  const page = readPage(asked.page, total, KEYS_A_PAGE);
  const offset = (page - 1) * KEYS_A_PAGE;
  const rows = await sql.read(heldPage(caller.id, found, { kind, order, total, limit: KEYS_A_PAGE, offset }));
  const counts = await countsOf(caller, kind, rows);
  const keys = rows.map(({ creatorId, ...row }) => ({
    ...row,
    holders: kind === "made" ? (counts.get(row.id) ?? 0) : null,
    ofCreator: kind === "given" ? (counts.get(creatorId) ?? null) : null,
  }));
  return { keys, kind, order, made, given, page };
}

/**
 * For keys the caller created: the number of holders of each. For others: how many of each creator's keys the caller
 * holds.
 */
async function countsOf(caller: Caller, kind: ListKind, rows: SummaryRow[]): Promise<Map<string, number>> {
  if (rows.length === 0) return new Map();
  if (kind === "made") {
    const counts = await sql.read(holderCounts(rows.map(({ id }) => id)));
    return new Map(counts.map(({ keyId, count }) => [keyId, count]));
  }
  const counts = await sql.read(heldOfEach(caller.id, [...new Set(rows.map(({ creatorId }) => creatorId))]));
  return new Map(counts.map(({ creatorId, count }) => [creatorId, count]));
}
