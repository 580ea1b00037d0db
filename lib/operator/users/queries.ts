import { KIND } from "@/lib/accounts/user";
import { Prisma } from "@/lib/platform/db/client";
import { integer, type RowOf, rowShape, sqlChange, textOrNull } from "@/lib/platform/db/statement";
import { env } from "@/lib/platform/env";

/** What a list of users is sorted by. */
export const USER_SORTS = ["name", "created", "seen", "keys", "bytes"] as const;
export type Sort = (typeof USER_SORTS)[number];

export const DIRECTIONS = ["ascending", "descending"] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** Names from A, everything else from the latest or the most. */
export const usualDirection = (sort: Sort): Direction => (sort === "name" ? "ascending" : "descending");

/** What a list of users shows. */
export interface UserFilter {
  /** The beginning of the name, in any case. */
  name?: string;
  role?: "admin" | "user";
  disabled?: boolean;
  /** Only those without a password, or only those with one. */
  passwordless?: boolean;
  /** Only those who have not been seen for so many days. */
  idleDays?: number;
}

/** The kinds of UserSummary that a filter lets through. */
export function kindsOf({ role, disabled, passwordless }: UserFilter): number[] {
  const requested: [number, boolean | undefined][] = [
    [KIND.admin, role && role === "admin"],
    [KIND.disabled, disabled],
    [KIND.passwordless, passwordless],
  ];
  return Array.from({ length: 8 }, (_, kind) => kind).filter((kind) =>
    requested.every(([bit, isSet]) => isSet === undefined || isSet === (kind & bit) > 0),
  );
}

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
/** How many users of these kinds have not been seen since then, counted to `max`. */
export const idleUsers = (kinds: readonly number[], seenBefore: Date, max: number) => {
  const parts = kinds.map(
    (kind) => Prisma.sql`SELECT * FROM (
      SELECT 1 FROM "UserSummary" p WHERE p."kind" = ${kind} AND p."seenAt" < ${seenBefore} LIMIT ${max}) AS part`,
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
  const order = Prisma.raw(direction === "ascending" ? "ASC" : "DESC");
  const past = Prisma.raw(direction === "ascending" ? ">" : "<");
  const bySeen = areFewIdle || sort === "seen";
  const named = (alias: string) =>
    COLUMNS[sort].map((column) => Prisma.raw(`${areFewIdle && alias === "p" ? SIGN : ""}${alias}."${column}"`));
  const seenAt = Prisma.raw(`${bySeen ? "" : SIGN}p."seenAt"`);
  const ordered = (alias: string) => Prisma.join(named(alias).map((column) => Prisma.sql`${column} ${order}`));
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

/** The values of a row that its position in the list depends on. */
export const listPosition = (row: ListedRow, sort: Sort): unknown[] =>
  COLUMNS[sort].map((column) => row[column as keyof ListedRow]);

const inList = (values: readonly string[]) => Prisma.join([...values]);

const sweep = rowShape(
  { s: "UserSummarySweep" },
  { filledTo: "s.filledTo", eventId: "s.eventId", publishedAt: "s.publishedAt", sweptAt: "s.sweptAt" },
);
/** How far the sweep has come; locks it until the end of the transaction. */
export const lockedSweep = () => sweep.returning`UPDATE "UserSummarySweep" SET "id" = "id"`;

/** Begins the first filling, unless it has begun. */
export const beginSweep = (eventId: number, publishedAt: Date) => sqlChange`
  INSERT INTO "UserSummarySweep" ("id", "filledTo", "eventId", "publishedAt")
  SELECT 'users', '', ${eventId}, ${publishedAt} WHERE true ON CONFLICT ("id") DO NOTHING`;

export const filledTo = (userId: string | null) => sqlChange`UPDATE "UserSummarySweep" SET "filledTo" = ${userId}`;
export const countedTo = (eventId: number) => sqlChange`
  UPDATE "UserSummarySweep" SET "eventId" = ${eventId} WHERE "eventId" < ${eventId}`;
export const sweptAt = (publishedAt: Date, now: Date) => sqlChange`
  UPDATE "UserSummarySweep" SET "publishedAt" = ${publishedAt}, "sweptAt" = ${now}
  WHERE "publishedAt" <= ${publishedAt}`;

const without = rowShape(
  {},
  { count: integer('CAST((SELECT count(*) FROM "User") - (SELECT count(*) FROM "UserSummary") AS BIGINT)') },
);
/** How many users have no row: of before there were rows, or written beside the service. */
export const usersWithoutRow = () => without.from`(SELECT 1) AS one`;

const last = rowShape({}, { id: textOrNull('max("some"."id")') });
/** The last of the next `limit` users. */
export const lastOfNext = (after: string, limit: number) => last.from`(
  SELECT "id" FROM "User" WHERE "id" > ${after} ORDER BY "id" LIMIT ${limit}) AS "some"`;

/** Some users: these, or all with ids between two. */
export const these = (userIds: readonly string[]) => Prisma.sql`u."id" IN (${inList(userIds)})`;
export const between = (after: string, to: string) => Prisma.sql`u."id" > ${after} AND u."id" <= ${to}`;

const kindOfUser = Prisma.raw(
  `CASE WHEN u."role" = 'admin' THEN ${KIND.admin} ELSE 0 END
   + CASE WHEN u."disabledAt" IS NULL THEN 0 ELSE ${KIND.disabled} END
   + CASE WHEN u."passwordHash" IS NULL THEN ${KIND.passwordless} ELSE 0 END`,
);
const asBytes = Prisma.raw(env.DATABASE_URL ? `convert_to(u."usernameKey", 'UTF8')` : `CAST(u."usernameKey" AS BLOB)`);
const latest = Prisma.raw(env.DATABASE_URL ? "greatest" : "max");

/** What is stored of a user. The action is written so that only the index of subjects is used. */
const countedUser = Prisma.sql`
  SELECT u."id", ${kindOfUser} AS "kind", ${asBytes} AS "nameKey", u."createdAt",
    COALESCE((SELECT max(t."usedAt") FROM "AccessToken" t WHERE t."userId" = u."id"), u."createdAt") AS "usedAt",
    COALESCE((
      SELECT e."at" FROM "AuditEvent" e WHERE e."subjectId" = u."id" AND e."action" || '' = 'user.signin'
      ORDER BY e."id" DESC LIMIT 1), u."createdAt") AS "signedInAt",
    (SELECT count(*) FROM "Key" k WHERE k."creatorId" = u."id") AS "keys",
    COALESCE((
      SELECT CAST(sum(k."dataBytes") AS BIGINT) FROM "Key" k WHERE k."creatorId" = u."id"), 0) AS "keyBytes",
    COALESCE(v."plainLength", 0) AS "fileBytes", COALESCE(v."entries", 0) AS "entries"
  FROM "User" u
    LEFT JOIN "FileDocument" d ON d."userId" = u."id"
    LEFT JOIN "FileVersion" v ON v."userId" = d."userId" AND v."version" = d."version"`;

/**
 * Counts what these users have, from what is stored, and writes it to their rows. "Last seen" only grows. Lock the
 * sweep first: of two that count at once, the one that read first might write last.
 */
export const recount = (users: Prisma.Sql) => sqlChange`
  INSERT INTO "UserSummary"
    ("userId", "kind", "nameKey", "createdAt", "seenAt", "keys", "keyBytes", "fileBytes", "entries", "bytes")
  SELECT "id", "kind", "nameKey", "createdAt", ${latest}("createdAt", "usedAt", "signedInAt"),
    "keys", "keyBytes", "fileBytes", "entries", "keyBytes" + "fileBytes"
  FROM (${countedUser} WHERE ${users}) AS "counted" WHERE true
  ON CONFLICT ("userId") DO UPDATE SET "kind" = excluded."kind",
    "seenAt" = ${latest}("UserSummary"."seenAt", excluded."seenAt"),
    "keys" = excluded."keys", "keyBytes" = excluded."keyBytes", "fileBytes" = excluded."fileBytes",
    "entries" = excluded."entries", "bytes" = excluded."bytes"`;

const document = rowShape({ v: "FileVersion" }, { userId: "v.userId", publishedAt: "v.publishedAt" });
/** Documents published from then on that their user's row does not count, the first ones first. */
export const uncountedDocuments = (since: Date, limit: number) => document.from`
  "FileVersion" v
  JOIN "FileDocument" d ON d."userId" = v."userId" AND d."version" = v."version"
  JOIN "UserSummary" s ON s."userId" = v."userId"
  WHERE v."publishedAt" >= ${since} AND (s."fileBytes" <> v."plainLength" OR s."entries" <> v."entries")
  ORDER BY v."publishedAt" LIMIT ${limit}`;

const creator = rowShape({ k: "Key" }, { userId: "k.creatorId" });
export const creatorsOf = (keyIds: readonly string[]) => creator.from`"Key" k WHERE k."id" IN (${inList(keyIds)})`;

const formerCreator = rowShape({ a: "AuditEvent" }, { userId: "a.actorId" });
/** Whoever has ever been the creator of these keys, which may be deleted or handed over. */
export const recordedCreatorsOf = (keyIds: readonly string[]) => formerCreator.from`
  "AuditEvent" a WHERE a."subjectId" IN (${inList(keyIds)}) AND a."action" IN ('key.create', 'key.accept')`;
