import { Prisma } from "@/lib/platform/db/client";
import { integer, jsonRows, type RowOf, rowShape, sqlChange, textOrNull } from "@/lib/platform/db/statement";
import { env } from "@/lib/platform/env";
import { searchable } from "@/lib/platform/fold-case";
import type { ListKind, Order, SortColumn } from "./order";
import { type KeyPosition, startingAfter } from "./queries";

/** A pattern for texts that contain this one: all of its characters stand for themselves. */
const patternOf = (text: string) => `%${text.replace(/[!%_]/g, "!$&")}%`;

/** The condition that a column of folded text contains the search text, whatever its case. */
export const contains = (search: string, folded: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`${folded} LIKE ${patternOf(searchable(search))} ESCAPE '!'`;

/** A to Z are the same letters in every locale: in Turkish, "I" would become another one than "i". */
const ASCII_ONLY = env.DATABASE_URL ? ' COLLATE "C"' : "";
/** Lists are in the order of the database's language. */
const IN_ITS_LANGUAGE = env.DATABASE_URL ? ' COLLATE "default"' : "";
const lower = (text: string | Prisma.Sql) => Prisma.sql`lower(CAST(${text} AS TEXT)${Prisma.raw(ASCII_ONLY)})`;
/** A key's name, folded. One that waits for the sweep: as far as the database folds it. */
const FOLDED_NAME = `COALESCE(k."nameKey", lower(k."name"${ASCII_ONLY}))`;
const foldedName = Prisma.raw(FOLDED_NAME);

/** The search text as the databases accept it. */
export function readSearch(text: string): string {
  return [...text.replace(/\0/g, "").toWellFormed().trim()].slice(0, 100).join("");
}

/** The number of an existing page: the requested one, or the last. */
export function readPage(requested: string, total: number, size: number): number {
  const last = Math.max(1, Math.ceil(total / size));
  return /^[1-9]\d{0,5}$/.test(requested) ? Math.min(Number(requested), last) : 1;
}

/** The condition that a key's name, id or creator contains the text; none if it is empty. */
export function matching(text: string): Prisma.Sql {
  const search = readSearch(text);
  if (search === "") return Prisma.empty;
  return Prisma.sql`AND (${contains(search, foldedName)}
    OR (k."nameKey" IS NULL AND ${lower(Prisma.sql`k."name"`)} LIKE ${lower(patternOf(search))} ESCAPE '!')
    OR ${contains(search, Prisma.sql`k."id"`)} OR ${contains(search, Prisma.sql`c."usernameKey"`)})`;
}

/** The condition that the access of this holder has not ended. */
const notEnded = (alias: "h" | "o") =>
  Prisma.sql`(${Prisma.raw(alias)}."until" IS NULL OR ${Prisma.raw(alias)}."until" > ${new Date()})`;

/** The keys that a user holds and that match the search: `condition` says that. */
const held = (callerId: string, condition: Prisma.Sql) => Prisma.sql`
  "Holder" h JOIN "Key" k ON k."id" = h."keyId" JOIN "User" c ON c."id" = k."creatorId"
  WHERE h."userId" = ${callerId} AND h."hiddenAt" IS NULL AND ${notEnded("h")} ${condition}`;

const ofKind = (callerId: string, kind: ListKind) =>
  kind === "made" ? Prisma.sql`AND k."creatorId" = ${callerId}` : Prisma.sql`AND k."creatorId" <> ${callerId}`;

const heldCounts = rowShape(
  {},
  { created: integer('count(*) FILTER (WHERE k."creatorId" = h."userId")'), all: integer("count(*)") },
);
export const countHeld = (callerId: string, condition: Prisma.Sql) => heldCounts.from`${held(callerId, condition)}`;

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
const MAX_COUNTED = 300_000;

/**
 * What each column is sorted by. Keys without a name are after all others. Of `total` keys, so many holders are counted
 * that a list of 30 or fewer is always exact, and one of 10,000 up to 30 holders.
 */
const sortedBy = (total: number): Record<SortColumn, Prisma.Sql> => ({
  name: Prisma.sql`NULLIF(${foldedName}, '')${Prisma.raw(IN_ITS_LANGUAGE)}`,
  creator: Prisma.sql`c."usernameKey"`,
  price: PRICE,
  holders: Prisma.sql`(SELECT count(*) FROM (
    SELECT 1 FROM "Holder" o WHERE o."keyId" = k."id" AND ${notEnded("o")}
    LIMIT ${Math.ceil(MAX_COUNTED / Math.max(1, total))}) AS counted)`,
  since: Prisma.sql`h."since"`,
});

const sorting = ({ column, isDescending }: Order, total: number) =>
  Prisma.sql`ORDER BY ${sortedBy(total)[column]} ${Prisma.raw(isDescending ? "DESC" : "ASC")} NULLS LAST, k."id"`;

/** A page of the `total` keys that a user holds. Keys alike in the sorted column are in the order of their ids. */
export const heldPage = (
  callerId: string,
  condition: Prisma.Sql,
  { kind, order, total, limit, offset }: { kind: ListKind; order: Order; total: number; limit: number; offset: number },
) => summary.from`
  ${held(callerId, condition)} ${ofKind(callerId, kind)} ${sorting(order, total)} LIMIT ${limit} OFFSET ${offset}`;

const summaryAndPosition = rowShape({ k: "Key", c: "User", h: "Holder" }, { ...SUMMARY, createdAt: "h.keyCreatedAt" });

/** The same keys in the order of their creation, oldest first. */
export const heldAfter = (
  callerId: string,
  condition: Prisma.Sql,
  { kind, limit, after }: { kind: ListKind; limit: number; after: KeyPosition | undefined },
) => summaryAndPosition.from`
  ${held(callerId, condition)} ${ofKind(callerId, kind)} ${startingAfter(after)}
  ORDER BY h."keyCreatedAt", h."keyId" LIMIT ${limit}`;

const holdersOf = rowShape({ h: "Holder" }, { keyId: "h.keyId", count: integer("count(*)") });
export const holderCounts = (keyIds: readonly string[]) => holdersOf.from`
  "Holder" h WHERE h."keyId" IN (${Prisma.join([...keyIds])}) AND ${notEnded("h")} GROUP BY h."keyId"`;

const keysOf = rowShape({ k: "Key" }, { creatorId: "k.creatorId", count: integer("count(*)") });
/** How many of the user's keys were created by each of these creators. */
export const heldOfEach = (callerId: string, creatorIds: readonly string[]) => keysOf.from`
  ${held(callerId, Prisma.empty)} AND k."creatorId" IN (${Prisma.join([...creatorIds])}) GROUP BY k."creatorId"`;

/** The expression of the index "Key_by_name". */
const NAME_ORDER = env.DATABASE_URL ? `(${FOLDED_NAME} COLLATE "C")` : FOLDED_NAME;
const nameOrder = Prisma.raw(NAME_ORDER);

/** Everything of a key that an operator may see: never its data. */
const listed = rowShape(
  { k: "Key", c: "User" },
  {
    id: "k.id",
    name: "k.name",
    price: "k.price",
    bytes: "k.dataBytes",
    creator: "c.username",
    createdAt: "k.createdAt",
    foldedName: textOrNull(NAME_ORDER),
  },
);
export type ListedKeyRow = RowOf<typeof listed>;

/** The last key of the page before. */
export interface After {
  value: string;
  id: string;
}

const older = (after: After | undefined, alias: "k" | "h") => {
  const columns = Prisma.raw(alias === "k" ? `(k."createdAt", k."id")` : `(h."keyCreatedAt", h."keyId")`);
  return after ? Prisma.sql`AND ${columns} < (${new Date(Number(after.value))}, ${after.id})` : Prisma.empty;
};

/** Every key, latest first. */
export const latestKeys = (limit: number, after: After | undefined) => listed.from`
  "Key" k JOIN "User" c ON c."id" = k."creatorId"
  WHERE 1 = 1 ${older(after, "k")} ORDER BY k."createdAt" DESC, k."id" DESC LIMIT ${limit}`;

/** The keys of one creator, latest first. */
export const keysCreatedBy = (creatorId: string, limit: number, after: After | undefined) => listed.from`
  "Key" k JOIN "User" c ON c."id" = k."creatorId"
  WHERE k."creatorId" = ${creatorId} ${older(after, "k")}
  ORDER BY k."createdAt" DESC, k."id" DESC LIMIT ${limit}`;

/** The keys whose list of holders names this user, latest first. */
export const keysHeldBy = (userId: string, limit: number, after: After | undefined) => listed.from`
  "Holder" h JOIN "Key" k ON k."id" = h."keyId" JOIN "User" c ON c."id" = k."creatorId"
  WHERE h."userId" = ${userId} ${older(after, "h")}
  ORDER BY h."keyCreatedAt" DESC, h."keyId" DESC LIMIT ${limit}`;

/** After every text that begins with the prefix. */
const LAST_CHARACTER = "\u{10ffff}";

/** The keys whose name begins with this text, whatever its case, in the order of their names. */
export const keysNamed = (text: string, limit: number, after: After | undefined) =>
  inNameOrder(Prisma.sql`CAST(${searchable(text)} AS TEXT)`, Prisma.empty, { limit, after });

/** The same of names that wait for the sweep, where the database folds the text in another way. */
export const keysNamedBefore = (text: string, limit: number, after: After | undefined) => {
  const prefix = lower(text);
  const condition = Prisma.sql`AND k."nameKey" IS NULL AND ${prefix} <> CAST(${searchable(text)} AS TEXT)`;
  return inNameOrder(prefix, condition, { limit, after });
};

const inNameOrder = (
  prefix: Prisma.Sql,
  condition: Prisma.Sql,
  { limit, after }: { limit: number; after: After | undefined },
) => listed.from`
  "Key" k JOIN "User" c ON c."id" = k."creatorId"
  WHERE ${nameOrder} >= ${prefix} AND ${nameOrder} < ${prefix} || ${LAST_CHARACTER} ${condition}
    ${after ? Prisma.sql`AND (${nameOrder}, k."id") > (${after.value}, ${after.id})` : Prisma.empty}
  ORDER BY ${nameOrder}, k."id" LIMIT ${limit}`;

const storedLink = rowShape({}, { links: integer("count(*)") });
/** How many claim links are stored of a creator's keys. Of a batch that has none any more, it counts itself. */
export const linksOf = (creatorId: string) => storedLink.from`
  "Key" k JOIN "ClaimBatch" b ON b."keyId" = k."id" LEFT JOIN "ClaimLink" l ON l."batchId" = b."id"
  WHERE k."creatorId" = ${creatorId}`;

/** The same of one key. */
export const linksOfKey = (keyId: string) => storedLink.from`
  "ClaimBatch" b LEFT JOIN "ClaimLink" l ON l."batchId" = b."id" WHERE b."keyId" = ${keyId}`;

/** The expression of the index "Key_to_fold": the id of a key whose name is not ASCII and was not folded yet. */
const BYTES_OF_NAME = env.DATABASE_URL ? `octet_length(k."name")` : `length(CAST(k."name" AS BLOB))`;
const TO_FOLD = Prisma.raw(`(CASE WHEN k."nameKey" IS NULL AND ${BYTES_OF_NAME} <> length(k."name") THEN k."id" END)`);

const named = rowShape({ k: "Key" }, { id: "k.id", name: "k.name" });
/** Some of these keys. */
export const namesToFold = (limit: number) => named.from`
  "Key" k WHERE ${TO_FOLD} > '' ORDER BY ${TO_FOLD} LIMIT ${limit}`;

/** Changes nothing of a key whose name was changed since it was read. */
export const foldNames = (rows: readonly [id: string, name: string, nameKey: string][]) => sqlChange`
  UPDATE "Key" SET "nameKey" = r."nameKey" FROM (
    SELECT "row"->>0 AS "id", "row"->>1 AS "name", "row"->>2 AS "nameKey" FROM ${jsonRows(rows)}) r
  WHERE "Key"."id" = r."id" AND "Key"."name" || '' = r."name"`;
