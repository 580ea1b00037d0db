import { type RowOf, rowShape, type SqlChange, sqlChange } from "@/lib/db/statement";

const offered = rowShape(
  { k: "Key", c: "User", h: "Holder?", o: "KeyOffer" },
  {
    id: "k.id",
    creatorId: "k.creatorId",
    creator: "c.username",
    storedData: "k.data",
    sealedWith: "k.sealedWith",
    dataBytes: "k.dataBytes",
    createdAt: "k.createdAt",
    updatedAt: "k.updatedAt",
    offeredAt: "o.at",
    deletingAt: "c.deletingAt",
    /** Null: the user is not on the key's list. */
    since: "h.since",
  },
);
export type OfferedKey = RowOf<typeof offered>;

/** The key, if it is offered to this user. */
export const offerTo = (keyId: string, userId: string) => offered.from`
  "KeyOffer" o JOIN "Key" k ON k."id" = o."keyId" JOIN "User" c ON c."id" = k."creatorId"
  LEFT JOIN "Holder" h ON h."keyId" = k."id" AND h."userId" = ${userId}
  WHERE o."keyId" = ${keyId} AND o."userId" = ${userId}`;

/** With its data as sealed for the new creator. */
export const handOver = (
  keyId: string,
  creatorId: string,
  { data, sealedWith }: { data: string; sealedWith: number },
  now: Date,
): SqlChange => sqlChange`
  UPDATE "Key" SET "creatorId" = ${creatorId}, "data" = ${data}, "sealedWith" = ${sealedWith}, "updatedAt" = ${now}
  WHERE "id" = ${keyId}`;

/** Users who had blocked the former creator, and not this one, hold the key from now on. */
export const unhide = (keyId: string, creatorId: string): SqlChange => sqlChange`
  UPDATE "Holder" SET "hiddenAt" = NULL WHERE "keyId" = ${keyId} AND "hiddenAt" IS NOT NULL
    AND "userId" NOT IN (SELECT b."userId" FROM "BlockedGiver" b WHERE b."giverId" = ${creatorId})`;

export const removeOffer = (keyId: string): SqlChange => sqlChange`DELETE FROM "KeyOffer" WHERE "keyId" = ${keyId}`;
