import { Prisma } from "@/lib/platform/db/client";
import { integer, rowShape } from "@/lib/platform/db/statement";

const losers = rowShape({}, { holders: integer('count(DISTINCT "userId")'), seen: integer("count(*)") });
/** How many others hold keys of this creator, from the first `limit` entries. */
export const holdersOfOthers = (creatorId: string, limit: number, now = new Date()) => losers.from`(
  SELECT h."userId" FROM "Key" k JOIN "Holder" h ON h."keyId" = k."id"
  WHERE k."creatorId" = ${creatorId} AND h."userId" <> ${creatorId}
    AND (h."until" IS NULL OR h."until" > ${now}) LIMIT ${limit}) AS "some"`;

const overview = rowShape(
  { u: "User" },
  { username: "u.username", role: "u.role", createdAt: "u.createdAt", keys: integer('held."count"') },
);
/** The user, and how many keys they hold. As a relation's count, Prisma would count what everybody holds. */
export const overviewOfUser = (userId: string, now = new Date()) => overview.from`
  "User" u CROSS JOIN (
    SELECT count(*) AS "count" FROM "Holder" h
    WHERE h."userId" = ${userId} AND h."hiddenAt" IS NULL AND (h."until" IS NULL OR h."until" > ${now})) AS held
  WHERE u."id" = ${userId}`;

const removed = rowShape({ h: "Holder" }, { keyId: "h.keyId" });
/** Removes up to `limit` holders of these keys. */
export const removeHolders = (keyIds: readonly string[], limit: number) => removed.returning`
  DELETE FROM "Holder" WHERE ("keyId", "userId") IN (
    SELECT "keyId", "userId" FROM "Holder" WHERE "keyId" IN (${Prisma.join([...keyIds])}) LIMIT ${limit})`;
