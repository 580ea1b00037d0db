import { Prisma } from "@/lib/db/client";
import { integer, integerOrNull, rowShape, sqlChange } from "@/lib/db/statement";

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

const userId = rowShape({ u: "User" }, { id: "u.id" });
export const usersAfter = (id: string, limit: number) => userId.from`
  "User" u WHERE u."id" > ${id} ORDER BY u."id" LIMIT ${limit}`;

const facts = rowShape(
  { u: "User", s: "UserSummary?" },
  {
    id: "u.id",
    username: "u.username",
    role: "u.role",
    disabledAt: "u.disabledAt",
    isPasswordless: integer('CASE WHEN u."passwordHash" IS NULL THEN 1 ELSE 0 END'),
    createdAt: "u.createdAt",
    seenAt: "s.seenAt",
    keys: integer('(SELECT count(*) FROM "Key" k WHERE k."creatorId" = u."id")'),
    keyBytes: integerOrNull('(SELECT CAST(sum(k."dataBytes") AS BIGINT) FROM "Key" k WHERE k."creatorId" = u."id")'),
  },
);
/** What is true of these users, and what their row says of when they were seen. */
export const factsOf = (userIds: readonly string[]) => facts.from`
  "User" u LEFT JOIN "UserSummary" s ON s."userId" = u."id" WHERE u."id" IN (${inList(userIds)})`;

const document = rowShape(
  { v: "FileVersion" },
  { userId: "v.userId", entries: "v.entries", bytes: "v.plainLength", publishedAt: "v.publishedAt" },
);
export const documentsOf = (userIds: readonly string[]) => document.from`
  "FileDocument" d JOIN "FileVersion" v ON v."userId" = d."userId" AND v."version" = d."version"
  WHERE d."userId" IN (${inList(userIds)})`;

/** Documents published from then on that their user's row does not count, the first ones first. */
export const uncountedDocuments = (since: Date, limit: number) => document.from`
  "FileVersion" v
  JOIN "FileDocument" d ON d."userId" = v."userId" AND d."version" = v."version"
  JOIN "UserSummary" s ON s."userId" = v."userId"
  WHERE v."publishedAt" >= ${since} AND (s."fileBytes" <> v."plainLength" OR s."entries" <> v."entries")
  ORDER BY v."publishedAt" LIMIT ${limit}`;

const signIn = rowShape({ a: "AuditEvent" }, { userId: "a.subjectId", at: "a.at" });
/** The last sign-in of each of these users. */
export const lastSignIns = (userIds: readonly string[]) => signIn.from`
  "AuditEvent" a WHERE a."id" IN (
    SELECT max(e."id") FROM "AuditEvent" e
    WHERE e."subjectId" IN (${inList(userIds)}) AND e."action" = 'user.signin' GROUP BY e."subjectId")`;

const tokenUse = rowShape({ t: "AccessToken" }, { userId: "t.userId", at: "t.usedAt" });
export const tokenUses = (userIds: readonly string[]) => tokenUse.from`
  "AccessToken" t WHERE t."userId" IN (${inList(userIds)}) AND t."usedAt" IS NOT NULL`;

const creator = rowShape({ k: "Key" }, { userId: "k.creatorId" });
export const creatorsOf = (keyIds: readonly string[]) => creator.from`"Key" k WHERE k."id" IN (${inList(keyIds)})`;

const formerCreator = rowShape({ a: "AuditEvent" }, { userId: "a.actorId" });
/** Whoever has ever been the creator of these keys, which may be deleted or handed over. */
export const recordedCreatorsOf = (keyIds: readonly string[]) => formerCreator.from`
  "AuditEvent" a WHERE a."subjectId" IN (${inList(keyIds)}) AND a."action" IN ('key.create', 'key.accept')`;
