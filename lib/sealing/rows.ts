import { Prisma } from "@/lib/db/client";
import { rowShape, sqlChange } from "@/lib/db/statement";

const dataKey = rowShape({ d: "DataKey" }, { id: "d.id", wrapped: "d.wrapped" });

export const dataKeyById = (id: number) => dataKey.from`"DataKey" d WHERE d."id" = ${id}`;

/** The one that wraps new keys of users. */
export const newestDataKey = () => dataKey.from`"DataKey" d ORDER BY d."id" DESC LIMIT 1`;

/** Adds a data key, unless another process just has. */
export const addDataKey = (id: number, wrapped: Uint8Array, now: Date) => sqlChange`
  INSERT INTO "DataKey" ("id", "wrapped", "createdAt", "passes", "resealedTo")
  VALUES (${id}, ${wrapped}, ${now}, 0, '') ON CONFLICT ("id") DO NOTHING`;

const userKey = rowShape(
  { u: "UserKey" },
  { userId: "u.userId", number: "u.number", dataKeyId: "u.dataKeyId", wrapped: "u.wrapped" },
);

/** Keys of users by the users' ids and their numbers. */
export const userKeysOf = (userIds: readonly string[], numbers: readonly number[]) => userKey.from`
  "UserKey" u WHERE u."userId" IN (${Prisma.join([...userIds])}) AND u."number" IN (${Prisma.join([...numbers])})`;

/** The key that seals what the user stores now. */
export const newestUserKey = (userId: string) => userKey.from`
  "UserKey" u WHERE u."userId" = ${userId} ORDER BY u."number" DESC LIMIT 1`;

/** Adds a key of a user, unless another process just has. */
export const addUserKey = (
  userId: string,
  number: number,
  dataKeyId: number,
  wrapped: Uint8Array,
  now: Date,
) => sqlChange`
  INSERT INTO "UserKey" ("userId", "number", "dataKeyId", "wrapped", "createdAt")
  VALUES (${userId}, ${number}, ${dataKeyId}, ${wrapped}, ${now}) ON CONFLICT ("userId", "number") DO NOTHING`;
