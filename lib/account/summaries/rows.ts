import { Prisma } from "@/lib/db/client";
import { integer, rowShape, sqlChange, textOrNull } from "@/lib/db/statement";
import { env } from "@/lib/env";
import { KIND } from "@/lib/user-kind";

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
const counted = Prisma.sql`
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
  FROM (${counted} WHERE ${users}) AS "counted" WHERE true
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
