import { Prisma } from "@/lib/db/client";
import { type RowOf, rowShape } from "@/lib/db/statement";
import type { Direction, Sort } from "./order";

const listed = rowShape(
  { s: "UserSummary", u: "User" },
  {
    id: "u.id",
    username: "u.username",
    role: "u.role",
    disabledAt: "u.disabledAt",
    kind: "s.kind",
    createdAt: "s.createdAt",
    seenAt: "s.seenAt",
    keys: "s.keys",
    keyBytes: "s.keyBytes",
    fileBytes: "s.fileBytes",
    entries: "s.entries",
    bytes: "s.bytes",
    nameKey: "s.nameKey",
  },
);
export type ListedRow = RowOf<typeof listed>;

/** Each order, and its index. Users with the same value follow by name. */
const COLUMNS: Record<Sort, string[]> = {
  name: ["nameKey"],
  created: ["createdAt", "nameKey"],
  seen: ["seenAt", "nameKey"],
  keys: ["keys", "nameKey"],
  bytes: ["bytes", "nameKey"],
};

export interface Listing {
  kinds: readonly number[];
  /** The beginning of names, as bytes. */
  prefix?: Uint8Array;
  seenBefore?: Date;
  sort: Sort;
  direction: Direction;
  /** The sorted columns of the last user before this page. */
  after?: readonly unknown[];
  limit: number;
}

/**
 * A page of users. Each kind has its part of the index, in the order of the list: so no more rows are looked at than
 * there are kinds times users on the page, whatever is filtered by, except "idle" in another order, which is looked up
 * in the index alone.
 */
export function usersPage({ kinds, prefix, seenBefore, sort, direction, after, limit }: Listing) {
  const way = Prisma.raw(direction === "ascending" ? "ASC" : "DESC");
  const past = Prisma.raw(direction === "ascending" ? ">" : "<");
  const named = (alias: string) => COLUMNS[sort].map((column) => Prisma.raw(`${alias}."${column}"`));
  const ordered = (alias: string) => Prisma.join(named(alias).map((column) => Prisma.sql`${column} ${way}`));
  const where = [
    prefix &&
      Prisma.sql`AND p."nameKey" >= ${prefix} AND p."nameKey" < ${Buffer.concat([prefix, Buffer.from([0xff])])}`,
    seenBefore && Prisma.sql`AND p."seenAt" < ${seenBefore}`,
    after && Prisma.sql`AND (${Prisma.join(named("p"))}) ${past} (${Prisma.join([...after])})`,
  ].filter((part) => part !== undefined);
  const filtered = where.length > 0 ? Prisma.join(where, " ") : Prisma.empty;
  const parts = kinds.map(
    (kind) => Prisma.sql`SELECT * FROM (
      SELECT p.* FROM "UserSummary" p WHERE p."kind" = ${kind} ${filtered}
      ORDER BY ${ordered("p")} LIMIT ${limit}) AS part`,
  );
  return listed.from`(${Prisma.join(parts, " UNION ALL ")}) AS s JOIN "User" u ON u."id" = s."userId"
    ORDER BY ${ordered("s")} LIMIT ${limit}`;
}

/** The values of a row that its place in the list depends on. */
export const listPlace = (row: ListedRow, sort: Sort): unknown[] =>
  COLUMNS[sort].map((column) => row[column as keyof ListedRow]);
