import { db, Prisma } from "@/lib/db/client";
import { type KeyRow, mustManage, type Viewer } from "./find";
import { contains, readPage, readSearch } from "./search";

/** Holders of one page. */
export const HOLDERS_A_PAGE = 25;

export interface HolderList {
  holders: { username: string; since: Date; isCreator: boolean }[];
  /** How many the search finds. */
  total: number;
  page: number;
}

/** One page of a key's holders, longest first. A page past the end is the last one. Throws 403 `not_creator`. */
export async function listHolders(viewer: Viewer, row: KeyRow, asked: { search: string; page: string }): Promise<HolderList> {
  mustManage(viewer, row);
  const search = readSearch(asked.search);
  const found = search === "" ? Prisma.empty : Prisma.sql`AND ${contains(search, [Prisma.sql`u."username"`])}`;
  const holding = Prisma.sql`"Holder" h JOIN "User" u ON u."id" = h."userId" WHERE h."keyId" = ${row.id} ${found}`;
  const [counted] = await db.$queryRaw<{ total: bigint }[]>`SELECT count(*) AS "total" FROM ${holding}`;
  const total = Number(counted?.total ?? 0);
  const page = readPage(asked.page, total, HOLDERS_A_PAGE);
  const holders = await db.$queryRaw<{ id: string; username: string; since: Date }[]>`
    SELECT u."id", u."username", h."since" FROM ${holding}
    ORDER BY h."since", u."username" LIMIT ${HOLDERS_A_PAGE} OFFSET ${(page - 1) * HOLDERS_A_PAGE}`;
  return { holders: holders.map(({ id, ...holder }) => ({ ...holder, isCreator: id === row.creatorId })), total, page };
}
