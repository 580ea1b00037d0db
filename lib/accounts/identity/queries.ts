import { Prisma } from "@/lib/platform/db/client";
import { type RowOf, rowShape, sqlChange } from "@/lib/platform/db/statement";
import { latestNow } from "@/lib/platform/time";

const caller = rowShape(
  { u: "User" },
  { id: "u.id", username: "u.username", role: "u.role", disabledAt: "u.disabledAt" },
);
/** A user as a request finds it by token. */
export type StoredCaller = RowOf<typeof caller>;

export const userByToken = (tokenHash: string) => caller.from`"User" u WHERE u."tokenHash" = ${tokenHash}`;

/** When these users were last seen. */
export const markSeen = (userIds: readonly string[], now: Date) => sqlChange`
  UPDATE "UserSummary" SET "seenAt" = ${now}
  WHERE "userId" IN (${Prisma.join([...userIds])}) AND "seenAt" < ${now}`;

const holder = rowShape(
  { t: "AccessToken", u: "User" },
  {
    id: "u.id",
    username: "u.username",
    role: "u.role",
    disabledAt: "u.disabledAt",
    tokenId: "t.id",
    name: "t.name",
    access: "t.access",
    expiresAt: "t.expiresAt",
    startsAt: "t.startsAt",
    usedAt: "t.usedAt",
    idleDays: "t.idleDays",
    audiences: "t.audiences",
    party: "t.party",
  },
);

/** The access token with this hash, and its user. */
export const tokenByHash = (hash: string) => holder.from`
  "AccessToken" t JOIN "User" u ON u."id" = t."userId" WHERE t."hash" = ${hash}`;

export const markUsed = (id: string, now: Date, notSince: Date) => sqlChange`
  UPDATE "AccessToken" SET "usedAt" = ${now}
  WHERE "id" = ${id} AND ("usedAt" IS NULL OR "usedAt" <= ${notSince} OR "usedAt" > ${latestNow(now)})`;

const tokenNetwork = rowShape({ n: "AccessTokenNetwork" }, { tokenId: "n.tokenId" });

/** Records a network that a token is used from. Returns nothing if it was recorded before, or `limit` others are. */
export const rememberNetwork = (
  id: string,
  network: string,
  { limit, now }: { limit: number; now: Date },
) => tokenNetwork.returning`
  INSERT INTO "AccessTokenNetwork" ("tokenId", "network", "since")
  SELECT t."id", ${network}, ${now} FROM "AccessToken" t
  WHERE t."id" = ${id} AND (SELECT count(*) FROM "AccessTokenNetwork" n WHERE n."tokenId" = t."id") < ${limit}
  ON CONFLICT ("tokenId", "network") DO NOTHING`;

/** A program has collected its token: from now on it works. */
export const start = (id: string, now: Date, sealedUntil: Date) => sqlChange`
  UPDATE "AccessToken" SET "startsAt" = ${now}, "sealedUntil" = ${sealedUntil} WHERE "id" = ${id}`;
