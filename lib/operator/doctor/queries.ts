import { Prisma } from "@/lib/platform/db/client";
import { integer, rowShape } from "@/lib/platform/db/statement";

const clock = rowShape({}, { ms: integer("CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)") });
/** PostgreSQL's clock, in Unix milliseconds. */
export const serverClock = () => clock.from`(SELECT 1) AS one`;

const without = rowShape({}, { keys: integer("count(*)") });
/** How many keys are not held by their creators, visibly and without an end. */
export const creatorsWithout = () => without.from`
  "Key" k LEFT JOIN "Holder" h ON h."keyId" = k."id" AND h."userId" = k."creatorId"
  WHERE h."keyId" IS NULL OR h."until" IS NOT NULL OR h."hiddenAt" IS NOT NULL`;

const notSealed = rowShape(
  {},
  {
    keys: integer('(SELECT count(*) FROM "Key" WHERE "sealedWith" IS NULL)'),
    pieces: integer('(SELECT count(*) FROM "FileContent" WHERE "sealedWith" IS NULL)'),
  },
);
/** How much is stored in the clear, from before sealing. */
export const unsealed = () => notSealed.from`(SELECT 1) AS one`;

const counted = rowShape({}, { count: integer("count(*)") });
const countedUsers = rowShape({}, { count: integer('count(DISTINCT p."userId")') });
const under = (dataKeyIds: readonly number[]) => Prisma.sql`u."dataKeyId" IN (${Prisma.join([...dataKeyIds])})`;
/** How many keys' data, and how many users' files, are sealed under these data keys. */
export const keysUnder = (dataKeyIds: readonly number[]) => counted.from`
  "Key" k JOIN "UserKey" u ON u."userId" = k."creatorId" AND u."number" = k."sealedWith" WHERE ${under(dataKeyIds)}`;
export const usersWithFilesUnder = (dataKeyIds: readonly number[]) => countedUsers.from`
  "FileContent" f JOIN "FilePiece" p ON p."id" = f."pieceId"
  JOIN "UserKey" u ON u."userId" = p."userId" AND u."number" = f."sealedWith" WHERE ${under(dataKeyIds)}`;
