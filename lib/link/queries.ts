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
import type { LinkCode, LinkEntry } from "@/prisma/generated/sqlite/client";
import { COLLECTED, collectableBy, repeatableIf, TRANSITIONS } from "./states";

/** The columns that a poll needs: each one costs every poll. */
const polled = rowShape(
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
type PolledRow = RowOf<typeof polled>;

export type PolledLink = Pick<LinkCode, Exclude<keyof PolledRow, "tokenHash" | "tokenSealed">>;
/** The user who decided, if not disabled, with the account's token. */
export interface Approver {
  id: string;
  tokenHash: string;
  tokenSealed: string;
}

/**
 * One row for any code: all null if there is no such code or nobody approved it. The user is looked up in any case; not
 * found if the account's token was rotated since, or the program's own removed or no longer stored.
 */
export const linkByCode = (codeHash: string) => polled.from`
  (SELECT CAST(${codeHash} AS TEXT) AS "hash") AS polled
  LEFT JOIN "LinkCode" l ON l."codeHash" = polled."hash"
  LEFT JOIN "User" u ON u."id" = COALESCE(l."userId", '') AND u."disabledAt" IS NULL
    AND (u."tokenHash" = l."tokenHash" OR l."sealed" IS NOT NULL)`;

/** Whether a row of `linkByCode` has a link: a LEFT JOIN returns all of its columns or none. */
export const hasLink = (row: PolledRow): row is PolledRow & PolledLink => row.id !== null;

const linkId = rowShape({ l: "LinkCode" }, { id: "l.id" });

interface Collection extends Pick<LinkCode, "network" | "program" | "webPage"> {
  entitlement: string | null;
  now: Date;
}

/**
 * Collects a link if the program is still entitled: since the check, the secret may have bound the code, or the
 * approver may have withdrawn the permission.
 */
export const collect = (
  { id }: Pick<PolledLink, "id">,
  { tokenHash }: Pick<Approver, "tokenHash">,
  { entitlement, network, program, webPage, now }: Collection,
) => linkId.returning`
  UPDATE "LinkCode" SET "status" = ${TRANSITIONS.collect.to}, "collectedAt" = ${now},
    "collectedNetwork" = ${network}, "collectedProgram" = ${program}, "collectedWebPage" = ${webPage},
    "boundAt" = CASE WHEN ${entitlement} = 'secret' THEN COALESCE("boundAt", ${now}) END
  WHERE "id" = ${id} AND "status" = ${TRANSITIONS.collect.from}
    AND "collectBy" > ${collectableBy(now).gt} AND "collectBy" <= ${collectableBy(now).lte}
    AND (CASE ${entitlement}
      WHEN 'secret' THEN "webPage" IS NULL OR "allowedNetwork" IS NOT NULL
      WHEN 'network' THEN "boundAt" IS NULL
      WHEN 'permission' THEN "boundAt" IS NULL AND "allowedNetwork" = ${network}
        AND "allowedWebPage" = ${webPage ?? ""} END)
    AND EXISTS (SELECT 1 FROM "User" u WHERE u."id" = "LinkCode"."userId"
      AND (u."tokenHash" = ${tokenHash} OR "LinkCode"."sealed" IS NOT NULL) AND u."disabledAt" IS NULL)`;

/** Counts a repeated collection, if still allowed. */
export const repeat = (id: string, maxRepeats: number, now: Date) => linkId.returning`
  UPDATE "LinkCode" SET "repeats" = COALESCE("repeats", 0) + 1
  WHERE "id" = ${id} AND "status" = ${TRANSITIONS.repeat.from} AND "collectedAt" > ${repeatableIf(now).gt}
    AND "collectedAt" <= ${repeatableIf(now).lte} AND COALESCE("repeats", 0) < ${maxRepeats}`;

/** Binds a link to its secret, if not yet bound. */
export const bind = (id: string, now: Date) => linkId.returning`
  UPDATE "LinkCode" SET "boundAt" = ${now}
  WHERE "id" = ${id} AND "boundAt" IS NULL AND "status" IN (${TRANSITIONS.create.to}, ${TRANSITIONS.approve.to})`;

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

const requesterEvent = rowShape({ e: "AuditEvent" }, { id: "e.id", at: "e.at" });
/**
 * The next events of requesters and guessers without a signed-in user after the event with the id `last`, the oldest
 * first. PostgreSQL finds them by their actor only if they are sorted by it, too: otherwise it reads all events.
 */
export const requesterEvents = (last: number, limit: number) => requesterEvent.from`
  "AuditEvent" e WHERE e."actorId" IS NULL AND e."id" > ${last}
    AND e."action" IN ('link.ask', 'link.look', 'link.contest', 'link.refuse')
  ORDER BY e."actorId", e."id" LIMIT ${limit}`;

const outcome = rowShape({}, { outcome: textOrNull('"outcome"'), count: integer("count(*)") });
/** How many codes of this time ended how: a state's name, "expired", or "open" for those that have not ended. */
export const outcomes = (from: Date, to: Date, now: Date) => outcome.from`(
  SELECT CASE
    WHEN l."status" IN (${TRANSITIONS.collect.to}, ${TRANSITIONS.deny.to}) THEN l."status"
    WHEN l."status" = ${TRANSITIONS.create.to} AND l."expiresAt" <= ${now} THEN 'expired'
    WHEN l."status" = ${TRANSITIONS.approve.to} AND l."collectBy" <= ${now} THEN 'expired'
    ELSE 'open' END AS "outcome"
  FROM "LinkCode" l WHERE l."createdAt" >= ${from} AND l."createdAt" < ${to}) AS "ended" GROUP BY "outcome"`;

const networkCodes = rowShape({ l: "LinkCode" }, { network: "l.network", codes: integer("count(*)") });
/** How many codes each network requested in this time. */
export const codesByNetwork = (from: Date, to: Date) => networkCodes.from`
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
  WHERE l."id" IN (${Prisma.join([...ids])}) AND l."status" <> ${TRANSITIONS.create.to}`;

const entry = rowShape({ e: "LinkEntry" }, { linkId: "e.linkId" });
/** Records who entered a code, and where. Returns nothing if already recorded. */
export const enter = ({ linkId, userId, network, at }: LinkEntry) => entry.returning`
  INSERT INTO "LinkEntry" ("linkId", "userId", "network", "at") VALUES (${linkId}, ${userId}, ${network}, ${at})
  ON CONFLICT ("linkId", "userId") DO UPDATE SET "network" = excluded."network", "at" = excluded."at"
    WHERE "LinkEntry"."network" <> excluded."network"`;

/** Records that a program polled for a code, or polled again. */
export const question = (row: NewRow<"LinkQuestion">): Insert =>
  insert("LinkQuestion", row, { unique: ["codeHash", "network", "webPage"], set: ["program", "at"] });
