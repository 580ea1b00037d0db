import { Prisma } from "@/lib/db/client";
import { integer, type RowOf, rowShape } from "@/lib/db/statement";
import { env } from "@/lib/env";
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
  /** Whether so few have not been seen since then that they are sorted, rather than looked for in the order. */
  areFewIdle?: boolean;
  sort: Sort;
  direction: Direction;
  /** The sorted columns of the last user before this page. */
  after?: readonly unknown[];
  limit: number;
}

const counted = rowShape({}, { count: integer("count(*)") });
/** How many users of these kinds have not been seen since then, counted to `most`. */
export const idleUsers = (kinds: readonly number[], seenBefore: Date, most: number) => {
  const parts = kinds.map(
    (kind) => Prisma.sql`SELECT * FROM (
      SELECT 1 FROM "UserSummary" p WHERE p."kind" = ${kind} AND p."seenAt" < ${seenBefore} LIMIT ${most}) AS part`,
  );
  return counted.from`(${Prisma.join(parts, " UNION ALL ")}) AS idle`;
};

/** SQLite has no statistics to choose an index by: it uses none for a column with a sign. */
const SIGN = env.DATABASE_URL ? "" : "+";

/** No byte of UTF-8 is 0xff. */
const beginsWith = (column: Prisma.Sql | undefined, prefix: Uint8Array) =>
  Prisma.sql`AND ${column} >= ${prefix} AND ${column} < ${Buffer.concat([prefix, Buffer.from([0xff])])}`;

/**
 * A page of users. Each kind has its part of the index, in the order of the list: so no more rows are looked at than
 * there are kinds times users on the page, whatever is filtered by, except "idle" in another order. Few of those are
 * found by when they were seen, and many in the index of the order alone.
 */
export function usersPage({ kinds, prefix, seenBefore, areFewIdle, sort, direction, after, limit }: Listing) {
  const way = Prisma.raw(direction === "ascending" ? "ASC" : "DESC");
  const past = Prisma.raw(direction === "ascending" ? ">" : "<");
  const bySeen = areFewIdle || sort === "seen";
  const named = (alias: string) =>
    COLUMNS[sort].map((column) => Prisma.raw(`${areFewIdle && alias === "p" ? SIGN : ""}${alias}."${column}"`));
  const seenAt = Prisma.raw(`${bySeen ? "" : SIGN}p."seenAt"`);
  const ordered = (alias: string) => Prisma.join(named(alias).map((column) => Prisma.sql`${column} ${way}`));
  const where = [
    prefix && beginsWith(named("p").at(-1), prefix),
    seenBefore && Prisma.sql`AND ${seenAt} < ${seenBefore}`,
    // Nobody was seen before being created.
    seenBefore && sort === "created" && Prisma.sql`AND ${named("p")[0]} < ${seenBefore}`,
    after && Prisma.sql`AND (${Prisma.join(named("p"))}) ${past} (${Prisma.join([...after])})`,
  ].filter((part) => part instanceof Prisma.Sql);
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
