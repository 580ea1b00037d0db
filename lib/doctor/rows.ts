import { integer, rowShape, textOrNull } from "@/lib/db/statement";

const problem = rowShape({}, { problem: textOrNull("integrity_check") });
/** SQLite's integrity problems: at most twenty, or the word "ok". */
export const integrity = () => problem.from`pragma_integrity_check LIMIT 20`;

const orphan = rowShape({}, { table: textOrNull('"table"'), parent: textOrNull('"parent"') });
/** SQLite rows with dangling foreign keys. */
export const orphans = (limit: number) => orphan.from`pragma_foreign_key_check LIMIT ${limit}`;

const clock = rowShape({}, { ms: integer("CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)") });
/** PostgreSQL's clock, in Unix milliseconds. */
export const serverClock = () => clock.from`(SELECT 1) AS one`;

const without = rowShape({}, { keys: integer("count(*)") });
/** How many keys are not held by their creators, visibly and without an end. */
export const creatorsWithout = () => without.from`
  "Key" k LEFT JOIN "Holder" h ON h."keyId" = k."id" AND h."userId" = k."creatorId"
  WHERE h."keyId" IS NULL OR h."until" IS NOT NULL OR h."hiddenAt" IS NOT NULL`;
