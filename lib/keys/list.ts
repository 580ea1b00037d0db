import type { Caller } from "@/lib/accounts/identity/user";
import { Prisma, sql } from "@/lib/platform/db/client";
import { requireManager } from "./access";
import {
  contains,
  countHeld,
  heldOfEach,
  heldPage,
  holderCounts,
  matching,
  readPage,
  readSearch,
  type SummaryRow,
} from "./list-queries";
import { type ListKind, type Order, readOrder } from "./order";
import { holdersCount, holdersPage, type KeyRow } from "./queries";

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
  /** Number of matches: keys the caller created, and keys received from others. */
  created: number;
  received: number;
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
  options: { kind: ListKind | undefined; search: string; page: string; sort?: string },
): Promise<KeyList> {
  const condition = matching(options.search);
  const [counted] = await sql.read(countHeld(caller.id, condition));
  const created = counted?.created ?? 0;
  const received = (counted?.all ?? 0) - created;
  const kind = options.kind ?? (created === 0 && received > 0 ? "given" : "made");
  const order = readOrder(options.sort ?? "", kind);
  const total = kind === "made" ? created : received;
  const page = readPage(options.page, total, KEYS_A_PAGE);
  const offset = (page - 1) * KEYS_A_PAGE;
  const rows = await sql.read(heldPage(caller.id, condition, { kind, order, total, limit: KEYS_A_PAGE, offset }));
  const counts = await countsOf(caller, kind, rows);
  const keys = rows.map(({ creatorId, ...row }) => ({
    ...row,
    holders: kind === "made" ? (counts.get(row.id) ?? 0) : null,
    ofCreator: kind === "given" ? (counts.get(creatorId) ?? null) : null,
  }));
  return { keys, kind, order, created, received, page };
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

/** Holders per page. */
export const HOLDERS_A_PAGE = 25;

/** A holder in a list, or somebody who was one. */
export interface ListedHolder {
  username: string;
  since: Date;
  /** When the access ends; null if never. */
  until: Date | null;
  /** That time has come: the user holds nothing. */
  isEnded: boolean;
  isCreator: boolean;
}

interface HolderList {
  holders: ListedHolder[];
  /** Number of matches. */
  total: number;
  page: number;
}

/**
 * One page of a key's holders, longest first, with those whose access has ended. A page number past the end gives the
 * last page. Throws 403 `not_creator`.
 */
export async function listHolders(
  caller: Caller,
  row: Pick<KeyRow, "id" | "creatorId">,
  options: { search: string; page: string },
): Promise<HolderList> {
  requireManager(caller, row);
  const search = readSearch(options.search);
  const condition = search === "" ? Prisma.empty : Prisma.sql`AND ${contains(search, Prisma.sql`u."usernameKey"`)}`;
  const [counted] = await sql.read(holdersCount(row.id, condition));
  const total = counted?.total ?? 0;
  const page = readPage(options.page, total, HOLDERS_A_PAGE);
  const holders = await sql.read(
    holdersPage(row.id, condition, { limit: HOLDERS_A_PAGE, offset: (page - 1) * HOLDERS_A_PAGE }),
  );
  const now = new Date();
  const listed = holders.map(({ id, ...holder }) => ({
    ...holder,
    isEnded: holder.until !== null && holder.until <= now,
    isCreator: id === row.creatorId,
  }));
  return { holders: listed, total, page };
}
