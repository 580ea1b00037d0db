import { Prisma, sql } from "@/lib/db/client";
import type { Caller } from "@/lib/user";
import { requireManager } from "./find";
import { holdersCount, holdersPage, type KeyRow } from "./rows";
import { contains, readPage, readSearch } from "./search";

/** Holders per page. */
export const HOLDERS_A_PAGE = 25;

export interface HolderList {
  holders: { username: string; since: Date; until: Date | null; isEnded: boolean; isCreator: boolean }[];
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
  asked: { search: string; page: string },
): Promise<HolderList> {
  requireManager(caller, row);
  const search = readSearch(asked.search);
  const found = search === "" ? Prisma.empty : Prisma.sql`AND ${contains(search, [Prisma.sql`u."username"`])}`;
  const [counted] = await sql.read(holdersCount(row.id, found));
  const total = counted?.total ?? 0;
  const page = readPage(asked.page, total, HOLDERS_A_PAGE);
  const holders = await sql.read(holdersPage(row.id, found, HOLDERS_A_PAGE, (page - 1) * HOLDERS_A_PAGE));
  const now = new Date();
  const shown = holders.map(({ id, ...holder }) => ({
    ...holder,
    isEnded: holder.until !== null && holder.until <= now,
    isCreator: id === row.creatorId,
  }));
  return { holders: shown, total, page };
}
