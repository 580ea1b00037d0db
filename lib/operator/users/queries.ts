import { KIND } from "@/lib/accounts/identity/user";
import { Prisma } from "@/lib/platform/db/client";
import { integer, type RowOf, rowShape, sqlChange } from "@/lib/platform/db/statement";
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

const kindOfUser = Prisma.raw(
  `CASE WHEN u."role" = 'admin' THEN ${KIND.admin} ELSE 0 END
   + CASE WHEN u."disabledAt" IS NULL THEN 0 ELSE ${KIND.disabled} END
   + CASE WHEN u."passwordHash" IS NULL THEN ${KIND.passwordless} ELSE 0 END`,
);
const asBytes = Prisma.raw(env.DATABASE_URL ? `convert_to(u."usernameKey", 'UTF8')` : `CAST(u."usernameKey" AS BLOB)`);
const LATEST = env.DATABASE_URL ? "greatest" : "max";
const SEEN_AT = `${LATEST}(u."createdAt", u."usedAt", u."signedInAt")`;

/** What is stored of these users. The action is written so that only the index of subjects is used. */
const countedUsers = (which: Prisma.Sql) => Prisma.sql`(
  SELECT u."id", ${kindOfUser} AS "kind", ${asBytes} AS "nameKey", u."createdAt",
    COALESCE((SELECT max(t."usedAt") FROM "AccessToken" t WHERE t."userId" = u."id"), u."createdAt") AS "usedAt",
    COALESCE((
      SELECT e."at" FROM "AuditEvent" e WHERE e."subjectId" = u."id" AND e."action" || '' = 'user.signin'
      ORDER BY e."id" DESC LIMIT 1), u."createdAt") AS "signedInAt",
    (SELECT count(*) FROM "Key" k WHERE k."creatorId" = u."id") AS "keys",
    COALESCE((
      SELECT CAST(sum(k."dataBytes") AS BIGINT) FROM "Key" k WHERE k."creatorId" = u."id"), 0) AS "keyBytes",
    COALESCE(v."plainLength", 0) AS "fileBytes", COALESCE(v."entries", 0) AS "entries"
  FROM (SELECT "id", "usernameKey", "role", "disabledAt", "passwordHash", "createdAt" FROM "User" ${which}) AS u
    LEFT JOIN "FileDocument" d ON d."userId" = u."id"
    LEFT JOIN "FileVersion" v ON v."userId" = d."userId" AND v."version" = d."version") AS u`;

const checked = rowShape(
  { u: "User" },
  {
    id: "u.id",
    isCurrent: integer(`CASE WHEN s."kind" = u."kind" AND s."seenAt" >= ${SEEN_AT} AND s."keys" = u."keys"
      AND s."keyBytes" = u."keyBytes" AND s."fileBytes" = u."fileBytes" AND s."entries" = u."entries"
      THEN 1 ELSE 0 END`),
  },
);
/** The next `limit` users, and whether their rows say what is stored. */
export const nextUsers = (after: string, limit: number) => checked.from`
  ${countedUsers(Prisma.sql`WHERE "id" > ${after} ORDER BY "id" LIMIT ${limit}`)}
  LEFT JOIN "UserSummary" s ON s."userId" = u."id" ORDER BY u."id"`;

/** Counts what these users have, from what is stored, and writes it to their rows. "Last seen" only grows. */
export const recount = (userIds: readonly string[]) => sqlChange`
  INSERT INTO "UserSummary"
    ("userId", "kind", "nameKey", "createdAt", "seenAt", "keys", "keyBytes", "fileBytes", "entries", "bytes")
  SELECT "id", "kind", "nameKey", "createdAt", ${Prisma.raw(SEEN_AT)},
    "keys", "keyBytes", "fileBytes", "entries", "keyBytes" + "fileBytes"
  FROM ${countedUsers(Prisma.sql`WHERE "id" IN (${Prisma.join([...userIds])})`)} WHERE true
  ON CONFLICT ("userId") DO UPDATE SET "kind" = excluded."kind",
    "seenAt" = ${Prisma.raw(LATEST)}("UserSummary"."seenAt", excluded."seenAt"),
    "keys" = excluded."keys", "keyBytes" = excluded."keyBytes", "fileBytes" = excluded."fileBytes",
    "entries" = excluded."entries", "bytes" = excluded."bytes"`;
