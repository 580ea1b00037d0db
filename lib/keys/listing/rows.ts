import { Prisma } from "@/lib/db/client";
import { integer, type RowOf, rowShape } from "@/lib/db/statement";
import { env } from "@/lib/env";
import { type KeyPlace, startingAfter } from "../rows";
import { contains, readSearch } from "../search";
import type { ListKind, Order, SortColumn } from "./order";

/** The condition that a key's name, id or creator contains the typed text; none if nothing was typed. */
export function matching(typed: string): Prisma.Sql {
  const search = readSearch(typed);
  if (search === "") return Prisma.empty;
  return Prisma.sql`AND ${contains(search, [Prisma.sql`k."name"`, Prisma.sql`k."id"`, Prisma.sql`c."username"`])}`;
}

/** The condition that the access of this holder has not ended. */
const notEnded = (alias: "h" | "o") =>
  Prisma.sql`(${Prisma.raw(alias)}."until" IS NULL OR ${Prisma.raw(alias)}."until" > ${new Date()})`;

/** The keys that a user holds and that match the search: `found` is that condition. */
const held = (callerId: string, found: Prisma.Sql) => Prisma.sql`
  "Holder" h JOIN "Key" k ON k."id" = h."keyId" JOIN "User" c ON c."id" = k."creatorId"
  WHERE h."userId" = ${callerId} AND h."hiddenAt" IS NULL AND ${notEnded("h")} ${found}`;

const madeBy = (callerId: string, kind: ListKind) =>
  kind === "made" ? Prisma.sql`AND k."creatorId" = ${callerId}` : Prisma.sql`AND k."creatorId" <> ${callerId}`;

const heldCounts = rowShape(
  {},
  { made: integer('count(*) FILTER (WHERE k."creatorId" = h."userId")'), all: integer("count(*)") },
);
export const countHeld = (callerId: string, found: Prisma.Sql) => heldCounts.from`${held(callerId, found)}`;

const SUMMARY = {
  id: "k.id",
  creatorId: "k.creatorId",
  name: "k.name",
  price: "k.price",
  creator: "c.username",
  since: "h.since",
  until: "h.until",
} as const;
const summary = rowShape({ k: "Key", c: "User", h: "Holder" }, SUMMARY);
export type SummaryRow = RowOf<typeof summary>;

/** Prices are stored as text. One that is not a number is after all others. */
const PRICE = Prisma.raw(
  env.DATABASE_URL
    ? `CASE WHEN k."price" ~ '^-?[0-9]+([.][0-9]+)?$' THEN CAST(k."price" AS NUMERIC) END`
    : `CASE WHEN ltrim(k."price", '-') GLOB '[0-9]*' THEN CAST(k."price" AS REAL) END`,
);

/** Holders that are counted to sort a list by them. */
const MOST_COUNTED = 300_000;

/**
 * What each column is sorted by. Keys without a name are after all others. Of `total` keys, so many holders are counted
 * that a list of 30 or fewer is always exact, and one of 10,000 up to 30 holders.
 */
const sortedBy = (total: number): Record<SortColumn, Prisma.Sql> => ({
  name: Prisma.sql`lower(NULLIF(k."name", ''))`,
  creator: Prisma.sql`c."usernameKey"`,
  price: PRICE,
  holders: Prisma.sql`(SELECT count(*) FROM (
    SELECT 1 FROM "Holder" o WHERE o."keyId" = k."id" AND ${notEnded("o")}
    LIMIT ${Math.ceil(MOST_COUNTED / Math.max(1, total))}) AS counted)`,
  since: Prisma.sql`h."since"`,
});

const sorting = ({ column, isDescending }: Order, total: number) =>
  Prisma.sql`ORDER BY ${sortedBy(total)[column]} ${Prisma.raw(isDescending ? "DESC" : "ASC")} NULLS LAST, k."id"`;

/** A page of the `total` keys that a user holds. Keys alike in the sorted column are in the order of their ids. */
export const heldPage = (
  callerId: string,
  found: Prisma.Sql,
  { kind, order, total, limit, offset }: { kind: ListKind; order: Order; total: number; limit: number; offset: number },
) => summary.from`
  ${held(callerId, found)} ${madeBy(callerId, kind)} ${sorting(order, total)} LIMIT ${limit} OFFSET ${offset}`;

const summaryAndPlace = rowShape({ k: "Key", c: "User", h: "Holder" }, { ...SUMMARY, createdAt: "h.keyCreatedAt" });

/** The same keys in the order of their creation, oldest first. */
export const heldAfter = (
  callerId: string,
  found: Prisma.Sql,
  { kind, limit, after }: { kind: ListKind; limit: number; after: KeyPlace | undefined },
) => summaryAndPlace.from`
  ${held(callerId, found)} ${madeBy(callerId, kind)} ${startingAfter(after)}
  ORDER BY h."keyCreatedAt", h."keyId" LIMIT ${limit}`;

const holdersOf = rowShape({ h: "Holder" }, { keyId: "h.keyId", count: integer("count(*)") });
export const holderCounts = (keyIds: readonly string[]) => holdersOf.from`
  "Holder" h WHERE h."keyId" IN (${Prisma.join([...keyIds])}) AND ${notEnded("h")} GROUP BY h."keyId"`;

const keysOf = rowShape({ k: "Key" }, { creatorId: "k.creatorId", count: integer("count(*)") });
/** How many of the user's keys were created by each of these creators. */
export const heldOfEach = (callerId: string, creatorIds: readonly string[]) => keysOf.from`
  ${held(callerId, Prisma.empty)} AND k."creatorId" IN (${Prisma.join([...creatorIds])}) GROUP BY k."creatorId"`;
