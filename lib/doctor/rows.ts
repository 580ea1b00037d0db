import { integer, rowShape } from "@/lib/db/statement";

const clock = rowShape({}, { ms: integer("CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)") });
/** PostgreSQL's clock, in Unix milliseconds. */
export const serverClock = () => clock.from`(SELECT 1) AS one`;

const without = rowShape({}, { keys: integer("count(*)") });
/** How many keys are not held by their creators, visibly and without an end. */
export const creatorsWithout = () => without.from`
  "Key" k LEFT JOIN "Holder" h ON h."keyId" = k."id" AND h."userId" = k."creatorId"
  WHERE h."keyId" IS NULL OR h."until" IS NOT NULL OR h."hiddenAt" IS NOT NULL`;
