import type { LinkOutcomes } from "@/lib/link/operator";
import { insert, integer, integerOrNull, rowShape, sqlChange, textOrNull } from "@/lib/platform/db/statement";

/** What is stored, in bytes as quotas count them. */
export interface StoredAmounts {
  users: number;
  keys: number;
  keyBytes: number;
  fileBytes: number;
}

/** The id of the only row of StatisticsMark. */
export const MARK = "statistics";

/** Adds the mark, if there is none: after the migration, and after the restore of an older backup. */
export const addMark = () => sqlChange`
  INSERT INTO "StatisticsMark" ("id", "eventId") VALUES (${MARK}, 0) ON CONFLICT ("id") DO NOTHING`;

/** Moves the mark behind these events. Writes nothing if another process has counted them. */
export const passEvents = (from: number, to: number) => sqlChange`
  UPDATE "StatisticsMark" SET "eventId" = ${to} WHERE "id" = ${MARK} AND "eventId" = ${from}`;

/** Moves the mark to `next`. Writes nothing if another process has counted the links of this hour to their end. */
export const passLinks = (hour: Date, next: Date) => sqlChange`
  UPDATE "StatisticsMark" SET "linksFrom" = ${next}
  WHERE "id" = ${MARK} AND ("linksFrom" IS NULL OR "linksFrom" <= ${hour})`;

/** Begins measuring. Writes nothing if somebody did since `before`; a time in the future is from a wrong clock. */
export const beginMeasuring = (before: Date, now: Date) => sqlChange`
  UPDATE "StatisticsMark" SET "measuredAt" = ${now}
  WHERE "id" = ${MARK} AND ("measuredAt" IS NULL OR "measuredAt" <= ${before} OR "measuredAt" > ${now})`;

/** Adds to an hour. */
export const addToHour = (at: Date, signIns: number, signUps: number) => sqlChange`
  INSERT INTO "Statistic" ("span", "at", "signIns", "signUps") VALUES ('hour', ${at}, ${signIns}, ${signUps})
  ON CONFLICT ("span", "at") DO UPDATE SET "signIns" = "Statistic"."signIns" + excluded."signIns",
    "signUps" = "Statistic"."signUps" + excluded."signUps"`;

const NO_EVENTS = { signIns: 0, signUps: 0 };
const NO_LINKS = { asked: 0, linked: 0, denied: 0, expired: 0 };
const HOUR = ["span", "at"] as const;
const LINK_COLUMNS = Object.keys(NO_LINKS) as (keyof LinkOutcomes)[];

/** Sets what became of the links of an hour. */
export const setLinks = (at: Date, links: LinkOutcomes) =>
  insert("Statistic", { span: "hour", at, ...NO_EVENTS, ...links }, { unique: HOUR, set: LINK_COLUMNS });

/** Sets what is stored in an hour. */
export const setStored = (at: Date, stored: StoredAmounts) =>
  insert(
    "Statistic",
    { span: "hour", at, ...NO_EVENTS, ...NO_LINKS, ...stored },
    { unique: HOUR, set: ["users", "keys", "keyBytes", "fileBytes"] },
  );

const some = rowShape(
  {},
  {
    count: integer("count(*)"),
    last: textOrNull('MAX("id")'),
    sum: integerOrNull('CAST(SUM("sum") AS BIGINT)'),
    rows: integerOrNull('CAST(SUM("rows") AS BIGINT)'),
  },
);

/** How many users there are among the next `limit` after this one. */
export const someUsers = (after: string, limit: number) => some.from`(
  SELECT "id", 0 AS "sum", 1 AS "rows" FROM "User" WHERE "id" > ${after} ORDER BY "id" LIMIT ${limit}) AS "some"`;

/** The keys and their bytes of the next `limit` creators after this one. */
export const someKeys = (after: string, limit: number) => some.from`(
  SELECT "creatorId" AS "id", SUM("dataBytes") AS "sum", COUNT(*) AS "rows" FROM "Key"
  WHERE "creatorId" > ${after} GROUP BY "creatorId" ORDER BY "creatorId" LIMIT ${limit}) AS "some"`;

/** The bytes of the next `limit` documents after this user's, as readers get them. */
export const someDocuments = (after: string, limit: number) => some.from`(
  SELECT d."userId" AS "id", v."plainLength" AS "sum", 1 AS "rows"
  FROM "FileDocument" d JOIN "FileVersion" v ON v."userId" = d."userId" AND v."version" = d."version"
  WHERE d."userId" > ${after} ORDER BY d."userId" LIMIT ${limit}) AS "some"`;
