import { Prisma } from "@/lib/db/client";
import { type RowOf, rowShape, sqlChange } from "@/lib/db/statement";

const caller = rowShape(
  { u: "User" },
  { id: "u.id", username: "u.username", role: "u.role", disabledAt: "u.disabledAt" },
);
/** A user as a request finds it by token. */
export type StoredCaller = RowOf<typeof caller>;

export const userByToken = (tokenHash: string) => caller.from`"User" u WHERE u."tokenHash" = ${tokenHash}`;

/** Moves identities from one provider to another, except accounts that the other one already has. */
export const moveIdentities = (from: string, to: string) => sqlChange`
  UPDATE "Identity" SET "provider" = ${to} WHERE "provider" = ${from} AND NOT EXISTS (
    SELECT 1 FROM "Identity" i WHERE i."provider" = ${to} AND i."accountId" = "Identity"."accountId")`;

/** When these users were last seen. */
export const markSeen = (userIds: readonly string[], now: Date) => sqlChange`
  UPDATE "UserSummary" SET "seenAt" = ${now}
  WHERE "userId" IN (${Prisma.join([...userIds])}) AND "seenAt" < ${now}`;
