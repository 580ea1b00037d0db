import { Prisma } from "../db/client";
import { type RowOf, rowShape, sqlChange } from "../db/statement";

const dataKey = rowShape({ d: "DataKey" }, { id: "d.id", wrapped: "d.wrapped" });

export const dataKeyById = (id: number) => dataKey.from`"DataKey" d WHERE d."id" = ${id}`;

/** The one that wraps new keys of users. */
export const newestDataKey = () => dataKey.from`"DataKey" d ORDER BY d."id" DESC LIMIT 1`;

/** Adds a data key, unless another process just has. */
export const addDataKey = (id: number, wrapped: Uint8Array, now: Date) => sqlChange`
  INSERT INTO "DataKey" ("id", "wrapped", "createdAt", "passes", "resealedTo")
  VALUES (${id}, ${wrapped}, ${now}, 0, '') ON CONFLICT ("id") DO NOTHING`;

const keyAndProgress = rowShape(
  { d: "DataKey" },
  {
    id: "d.id",
    wrapped: "d.wrapped",
    createdAt: "d.createdAt",
    passes: "d.passes",
    resealedTo: "d.resealedTo",
    resealedAt: "d.resealedAt",
  },
);
/** Every data key and how far resealing under it has come, the newest first. */
export const dataKeys = () => keyAndProgress.from`"DataKey" d ORDER BY d."id" DESC`;

/** Stores a data key under another secret. */
export const rewrapDataKey = (id: number, wrapped: Uint8Array) => sqlChange`
  UPDATE "DataKey" SET "wrapped" = ${wrapped} WHERE "id" = ${id}`;

/** How far one pass of resealing has come: each changes nothing if another process was faster. */
export interface ResealingProgress {
  id: number;
  passes: number;
  resealedTo: string;
}
export const resealedTo = ({ id, passes, resealedTo: from }: ResealingProgress, to: string) => sqlChange`
  UPDATE "DataKey" SET "resealedTo" = ${to} WHERE "id" = ${id} AND "passes" = ${passes} AND "resealedTo" = ${from}`;
export const endPass = ({ id, passes, resealedTo: from }: ResealingProgress) => sqlChange`
  UPDATE "DataKey" SET "passes" = ${passes + 1}, "resealedTo" = ''
  WHERE "id" = ${id} AND "passes" = ${passes} AND "resealedTo" = ${from}`;
export const endResealing = (id: number, now: Date) => sqlChange`
  UPDATE "DataKey" SET "resealedAt" = ${now} WHERE "id" = ${id} AND "resealedAt" IS NULL`;
/** Removes the data keys before this one under which no key of a user is. */
export const removeFormer = (id: number) => sqlChange`
  DELETE FROM "DataKey" WHERE "id" < ${id}
    AND NOT EXISTS (SELECT 1 FROM "UserKey" u WHERE u."dataKeyId" = "DataKey"."id")`;

const userKey = rowShape(
  { u: "UserKey" },
  {
    userId: "u.userId",
    number: "u.number",
    dataKeyId: "u.dataKeyId",
    wrapped: "u.wrapped",
    createdAt: "u.createdAt",
  },
);
export type UserKeyRow = RowOf<typeof userKey>;

/** Keys of users by the users' ids and their numbers. */
export const userKeysOf = (userIds: readonly string[], numbers: readonly number[]) => userKey.from`
  "UserKey" u WHERE u."userId" IN (${Prisma.join([...userIds])}) AND u."number" IN (${Prisma.join([...numbers])})`;

/** The key that seals what the user stores now. */
export const newestUserKey = (userId: string) => userKey.from`
  "UserKey" u WHERE u."userId" = ${userId} ORDER BY u."number" DESC LIMIT 1`;

/** Every key of these users, each user's newest first. */
export const everyKeyOf = (userIds: readonly string[]) => userKey.from`
  "UserKey" u WHERE u."userId" IN (${Prisma.join([...userIds])}) ORDER BY u."userId", u."number" DESC`;

/** Keys of users in the order of the users' ids, after a position in it. */
export const userKeysAfter = ({ userId, number }: { userId: string; number: number }, limit: number) => userKey.from`
  "UserKey" u WHERE (u."userId", u."number") > (${userId}, ${number}) ORDER BY u."userId", u."number" LIMIT ${limit}`;

/** Adds a key of a user, unless another process just has. */
export const addUserKey = (
  { userId, number }: { userId: string; number: number },
  { dataKeyId, wrapped, now }: { dataKeyId: number; wrapped: Uint8Array; now: Date },
) => sqlChange`
  INSERT INTO "UserKey" ("userId", "number", "dataKeyId", "wrapped", "createdAt")
  VALUES (${userId}, ${number}, ${dataKeyId}, ${wrapped}, ${now}) ON CONFLICT ("userId", "number") DO NOTHING`;

const signingKey = rowShape({ s: "SigningKey" }, { number: "s.number", sealed: "s.sealed", createdAt: "s.createdAt" });

/** Every signing key, the newest first. */
export const signingKeys = () => signingKey.from`"SigningKey" s ORDER BY s."number" DESC`;

/** Adds a signing key, unless another process just has. */
export const addSigningKey = (number: number, sealed: Uint8Array, now: Date) => sqlChange`
  INSERT INTO "SigningKey" ("number", "sealed", "createdAt") VALUES (${number}, ${sealed}, ${now})
  ON CONFLICT ("number") DO NOTHING`;

/** Stores a signing key under another secret. */
export const resealSigningKey = (number: number, sealed: Uint8Array) => sqlChange`
  UPDATE "SigningKey" SET "sealed" = ${sealed} WHERE "number" = ${number}`;

/** Removes a signing key, unless it is the newest. */
export const removeSigningKey = (number: number) => sqlChange`
  DELETE FROM "SigningKey"
  WHERE "number" = ${number} AND "number" < (SELECT max(f."number") FROM "SigningKey" f)`;
