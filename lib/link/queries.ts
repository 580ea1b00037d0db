import { Prisma } from "@/lib/platform/db/client";
import {
  type Insert,
  insert,
  integer,
  type NewRow,
  type RowOf,
  rowShape,
  textOrNull,
} from "@/lib/platform/db/statement";
import type { LinkCode } from "@/prisma/generated/sqlite/client";
import { COLLECTED, collectableBy, repeatableIf, TRANSITIONS } from "./states";

/** The columns that a poll needs: each one costs every poll. */
const asked = rowShape(
  { l: "LinkCode?", u: "User?" },
  {
    id: "l.id",
    status: "l.status",
    createdAt: "l.createdAt",
    network: "l.network",
    program: "l.program",
    webPage: "l.webPage",
    secretHash: "l.secretHash",
    boundAt: "l.boundAt",
    userId: "l.userId",
    expiresAt: "l.expiresAt",
    collectBy: "l.collectBy",
    allowedNetwork: "l.allowedNetwork",
    allowedWebPage: "l.allowedWebPage",
    collectedAt: "l.collectedAt",
    collectedNetwork: "l.collectedNetwork",
    collectedProgram: "l.collectedProgram",
    collectedWebPage: "l.collectedWebPage",
    sealed: "l.sealed",
    tokenHash: "u.tokenHash",
    tokenSealed: "u.tokenSealed",
  },
);
type AskedRow = RowOf<typeof asked>;

export type AskedLink = Pick<LinkCode, Exclude<keyof AskedRow, "tokenHash" | "tokenSealed">>;
/** The user who decided, if not disabled, with the account's token. */
export interface Approver {
  id: string;
  tokenHash: string;
  tokenSealed: string;
}

/**
 * One row for any code: all null if there is no such code or nobody approved it. The user is looked up in any case; not
 * found if the account's token was rotated since, or the program's own removed or no longer kept.
 */
export const linkByCode = (codeHash: string) => asked.from`
  (SELECT CAST(${codeHash} AS TEXT) AS "hash") AS asked
  LEFT JOIN "LinkCode" l ON l."codeHash" = asked."hash"
  LEFT JOIN "User" u ON u."id" = COALESCE(l."userId", '') AND u."disabledAt" IS NULL
    AND (u."tokenHash" = l."tokenHash" OR l."sealed" IS NOT NULL)`;

/** Whether a row of `linkByCode` has a link: a LEFT JOIN returns all of its columns or none. */
export const hasLink = (row: AskedRow): row is AskedRow & AskedLink => row.id !== null;

const linkId = rowShape({ l: "LinkCode" }, { id: "l.id" });

interface Collecting {
  link: AskedLink;
  user: Approver;
  /** The program's title to the token. */
  title: string | null;
  asker: { network: string; program: string; webPage: string | null };
  now: Date;
}

/**
 * Collects a link if the title still holds: since the check, the secret may have bound the code, or the person may have
 * withdrawn their word.
 */
export const collect = ({ link, user, title, asker, now }: Collecting) => linkId.returning`
  UPDATE "LinkCode" SET "status" = ${TRANSITIONS.collect.to}, "collectedAt" = ${now},
    "collectedNetwork" = ${asker.network}, "collectedProgram" = ${asker.program}, "collectedWebPage" = ${asker.webPage},
    "boundAt" = CASE WHEN ${title} = 'secret' THEN COALESCE("boundAt", ${now}) END
  WHERE "id" = ${link.id} AND "status" = ${TRANSITIONS.collect.from} 
    AND "collectBy" > ${collectableBy(now).gt} AND "collectBy" <= ${collectableBy(now).lte}
    AND (CASE ${title}
      WHEN 'secret' THEN "webPage" IS NULL OR "allowedNetwork" IS NOT NULL
      WHEN 'network' THEN "boundAt" IS NULL
      WHEN 'word' THEN "boundAt" IS NULL AND "allowedNetwork" = ${asker.network}
        AND "allowedWebPage" = ${asker.webPage ?? ""} END)
    AND EXISTS (SELECT 1 FROM "User" u WHERE u."id" = "LinkCode"."userId"
      AND (u."tokenHash" = ${user.tokenHash} OR "LinkCode"."sealed" IS NOT NULL) AND u."disabledAt" IS NULL)`;

/** Counts a repeated collection, if still allowed. */
export const repeat = (id: string, mostRepeats: number, now: Date) => linkId.returning`
  UPDATE "LinkCode" SET "repeats" = COALESCE("repeats", 0) + 1
  WHERE "id" = ${id} AND "status" = ${TRANSITIONS.repeat.from} AND "collectedAt" > ${repeatableIf(now).gt}
    AND "collectedAt" <= ${repeatableIf(now).lte} AND COALESCE("repeats", 0) < ${mostRepeats}`;

/** Binds a link to its secret, if not yet bound. */
export const bind = (id: string, now: Date) => linkId.returning`
  UPDATE "LinkCode" SET "boundAt" = ${now}
  WHERE "id" = ${id} AND "boundAt" IS NULL AND "status" IN (${TRANSITIONS.ask.to}, ${TRANSITIONS.approve.to})`;

const oldLink = rowShape(
  { l: "LinkCode", u: "User?" },
  { id: "l.id", status: "l.status", createdAt: "l.createdAt", codeHash: "l.codeHash", holderId: "u.id" },
);
export type OldLink = RowOf<typeof oldLink>;
/**
 * The next codes of this age after the `last` one, the oldest first; with the user whose token the program of a
 * collected code still has.
 */
export const oldLinks = (last: { createdAt: Date; id: string }, before: Date, limit: number) => oldLink.from`
  "LinkCode" l LEFT JOIN "User" u ON u."tokenHash" = l."tokenHash" AND l."status" = ${COLLECTED.status}
  WHERE (l."createdAt", l."id") > (${last.createdAt}, ${last.id}) AND l."createdAt" <= ${before}
  ORDER BY l."createdAt", l."id" LIMIT ${limit}`;

const askersEvent = rowShape({ e: "AuditEvent" }, { id: "e.id", at: "e.at" });
/**
 * The next events of askers and guessers without a signed-in user after the event with the id `last`, the oldest first.
 * PostgreSQL finds them by their actor only if they are sorted by it, too: otherwise it reads all events.
 */
export const askersEvents = (last: number, limit: number) => askersEvent.from`
  "AuditEvent" e WHERE e."actorId" IS NULL AND e."id" > ${last}
    AND e."action" IN ('link.ask', 'link.look', 'link.contest', 'link.refuse')
  ORDER BY e."actorId", e."id" LIMIT ${limit}`;

const outcome = rowShape({}, { outcome: textOrNull('"outcome"'), count: integer("count(*)") });
/** How many codes of this time ended how: a state's name, "expired", or "open" for those that have not ended. */
export const outcomes = (from: Date, to: Date, now: Date) => outcome.from`(
  SELECT CASE
    WHEN l."status" IN (${TRANSITIONS.collect.to}, ${TRANSITIONS.deny.to}) THEN l."status"
    WHEN l."status" = ${TRANSITIONS.ask.to} AND l."expiresAt" <= ${now} THEN 'expired'
    WHEN l."status" = ${TRANSITIONS.approve.to} AND l."collectBy" <= ${now} THEN 'expired'
    ELSE 'open' END AS "outcome"
  FROM "LinkCode" l WHERE l."createdAt" >= ${from} AND l."createdAt" < ${to}) AS "ended" GROUP BY "outcome"`;

const asker = rowShape({ l: "LinkCode" }, { network: "l.network", codes: integer("count(*)") });
/** How many codes each network asked for in this time. */
export const askers = (from: Date, to: Date) => asker.from`
  "LinkCode" l WHERE l."createdAt" >= ${from} AND l."createdAt" < ${to} GROUP BY l."network"`;

const watched = rowShape(
  { l: "LinkCode", u: "User?" },
  {
    id: "l.id",
    status: "l.status",
    allowedNetwork: "l.allowedNetwork",
    allowedWebPage: "l.allowedWebPage",
    approverId: "u.id",
  },
);
export type WatchedLink = RowOf<typeof watched>;

/** Those of these links that were decided, with what may change until they are collected. */
export const watchedLinks = (ids: readonly string[]) => watched.from`
  "LinkCode" l LEFT JOIN "User" u ON u."id" = l."userId" AND u."disabledAt" IS NULL
    AND (u."tokenHash" = l."tokenHash" OR l."sealed" IS NOT NULL)
  WHERE l."id" IN (${Prisma.join([...ids])}) AND l."status" <> ${TRANSITIONS.ask.to}`;

const entry = rowShape({ e: "LinkEntry" }, { linkId: "e.linkId" });
/** Records who entered a code, and where. Returns nothing if already recorded. */
export const enter = (id: string, userId: string, network: string, now: Date) => entry.returning`
  INSERT INTO "LinkEntry" ("linkId", "userId", "network", "at") VALUES (${id}, ${userId}, ${network}, ${now})
  ON CONFLICT ("linkId", "userId") DO UPDATE SET "network" = excluded."network", "at" = excluded."at"
    WHERE "LinkEntry"."network" <> excluded."network"`;

/** Records that a program polled for a code, or polled again. */
export const question = (row: NewRow<"LinkQuestion">): Insert =>
  insert("LinkQuestion", row, { unique: ["codeHash", "network", "webPage"], set: ["program", "at"] });
