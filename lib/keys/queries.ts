import { Prisma } from "@/lib/platform/db/client";
import {
  integer,
  integerOrNull,
  jsonRows,
  type RowOf,
  rowShape,
  type SqlChange,
  sqlChange,
} from "@/lib/platform/db/statement";
import { foldedNameOf } from "./schema";

/** What an update of a key returns. */
const CHANGED = {
  name: "k.name",
  storedData: "k.data",
  sealedWith: "k.sealedWith",
  price: "k.price",
  createdAt: "k.createdAt",
} as const;

/** The columns of a key: `k` is the key, `c` its creator, `h` the caller as its holder. */
const KEY = {
  id: "k.id",
  creatorId: "k.creatorId",
  creator: "c.username",
  ...CHANGED,
  updatedAt: "k.updatedAt",
  /** Since when the caller holds the key; null if not at all. */
  since: "h.since",
  /** When that ends; null if never. */
  until: "h.until",
} as const;

const key = rowShape({ k: "Key", c: "User", h: "Holder?" }, KEY);
/** A stored key and the caller's relation to it. */
export type KeyRow = RowOf<typeof key>;

const callerAndKey = rowShape(
  { u: "User", k: "Key?", c: "User?", h: "Holder?" },
  { callerId: "u.id", username: "u.username", role: "u.role", disabledAt: "u.disabledAt", ...KEY },
);

/** The user with this token, and the key with this id if it exists. */
export const callerAndKeyById = (tokenHash: string, keyId: string, now = new Date()) => callerAndKey.from`
  "User" u
  LEFT JOIN "Key" k ON k."id" = ${keyId}
  LEFT JOIN "User" c ON c."id" = k."creatorId"
  LEFT JOIN "Holder" h ON h."keyId" = k."id" AND h."userId" = u."id" AND h."hiddenAt" IS NULL
    AND (h."until" IS NULL OR h."until" > ${now})
  WHERE u."tokenHash" = ${tokenHash}`;

/** Whether a row of `callerAndKeyById` has a key: a LEFT JOIN returns all of its columns or none. */
export const hasKey = <Row extends { [Column in keyof KeyRow]: KeyRow[Column] | null }>(
  row: Row,
): row is Row & KeyRow => row.id !== null;

export const keyById = (callerId: string, keyId: string, now = new Date()) => key.from`
  "Key" k JOIN "User" c ON c."id" = k."creatorId"
  LEFT JOIN "Holder" h ON h."keyId" = k."id" AND h."userId" = ${callerId} AND h."hiddenAt" IS NULL
    AND (h."until" IS NULL OR h."until" > ${now})
  WHERE k."id" = ${keyId}`;

/** A position in the list of the keys that a user holds. */
const position = rowShape({ h: "Holder" }, { createdAt: "h.keyCreatedAt", id: "h.keyId" });
export type KeyPosition = RowOf<typeof position>;

/** Continues that list after a position. */
export const startingAfter = (after: KeyPosition | undefined) =>
  after ? Prisma.sql`AND (h."keyCreatedAt", h."keyId") > (${after.createdAt}, ${after.id})` : Prisma.empty;

/** The keys that a user holds, oldest first. */
export const heldKeys = (
  callerId: string,
  { limit, after, now = new Date() }: { limit: number; after?: KeyPosition; now?: Date },
) => key.from`
  "Holder" h JOIN "Key" k ON k."id" = h."keyId" JOIN "User" c ON c."id" = k."creatorId"
  WHERE h."userId" = ${callerId} AND h."hiddenAt" IS NULL AND (h."until" IS NULL OR h."until" > ${now})
    ${startingAfter(after)}
  ORDER BY h."keyCreatedAt", h."keyId" LIMIT ${limit}`;

/** The last of `limit` positions in that list, and the next one if it exists. */
export const endOfPage = (
  callerId: string,
  { limit, after, now = new Date() }: { limit: number; after?: KeyPosition; now?: Date },
) => position.from`
  "Holder" h WHERE h."userId" = ${callerId} AND h."hiddenAt" IS NULL AND (h."until" IS NULL OR h."until" > ${now})
    ${startingAfter(after)}
  ORDER BY h."keyCreatedAt", h."keyId" LIMIT 2 OFFSET ${limit - 1}`;

const HOLDER = { username: "u.username", since: "h.since", until: "h.until" } as const;
const holder = rowShape({ h: "Holder", u: "User" }, { id: "u.id", ...HOLDER });
const holderOfKey = rowShape({ h: "Holder", u: "User" }, { keyId: "h.keyId", ...HOLDER });

const keyHeld = rowShape({ h: "Holder" }, { keyId: "h.keyId", until: "h.until" });

/** Every holder of a key, longest first. */
export const holders = (keyId: string, now = new Date()) => holder.from`
  "Holder" h JOIN "User" u ON u."id" = h."userId"
  WHERE h."keyId" = ${keyId} AND (h."until" IS NULL OR h."until" > ${now}) ORDER BY h."since", u."username"`;

/** The same for several keys. */
export const holdersOfEach = (keyIds: readonly string[], limit: number, now = new Date()) => holderOfKey.from`
  "Holder" h JOIN "User" u ON u."id" = h."userId"
  WHERE h."keyId" IN (${Prisma.join([...keyIds])}) AND (h."until" IS NULL OR h."until" > ${now})
  ORDER BY h."since", u."username" LIMIT ${limit}`;

/** Holders of a key, those whose access has ended too, whose name matches the search: `condition` says that. */
const matchingHolders = (keyId: string, condition: Prisma.Sql) =>
  Prisma.sql`"Holder" h JOIN "User" u ON u."id" = h."userId" WHERE h."keyId" = ${keyId} ${condition}`;

export const holdersPage = (
  keyId: string,
  condition: Prisma.Sql,
  { limit, offset }: { limit: number; offset: number },
) => holder.from`
  ${matchingHolders(keyId, condition)} ORDER BY h."since", u."username" LIMIT ${limit} OFFSET ${offset}`;

const total = rowShape({}, { total: integer("count(*)") });
export const holdersCount = (keyId: string, condition: Prisma.Sql) => total.from`${matchingHolders(keyId, condition)}`;

/** One row if the user with this name holds the key. */
export const holding = (usernameKey: string, keyId: string, now = new Date()) => keyHeld.from`
  "User" u JOIN "Holder" h ON h."userId" = u."id" AND h."keyId" = ${keyId}
  WHERE u."usernameKey" = ${usernameKey} AND (h."until" IS NULL OR h."until" > ${now})`;

const used = rowShape(
  { u: "User" },
  {
    keys: integer('count(k."creatorId")'),
    bytes: integerOrNull('CAST(sum(k."dataBytes") AS BIGINT)'),
    mostKeys: "u.mostKeys",
    mostKeyBytes: "u.mostKeyBytes",
  },
);
/** A user's share of the quotas, number and size of the created keys, and the user's own quotas. */
export const usedBy = (creatorId: string) => used.from`
  "User" u LEFT JOIN "Key" k ON k."creatorId" = u."id" WHERE u."id" = ${creatorId} GROUP BY u."id"`;

const changed = rowShape({ k: "Key" }, CHANGED);
export type ChangedKey = RowOf<typeof changed>;

/** Data as it is to be stored, and its size before sealing. */
export interface NewData {
  data: string;
  sealedWith: number;
  dataBytes: number;
}

/** A key and who its caller read as its creator: a change is nothing once somebody else is. */
type OwnedKey = Pick<KeyRow, "id" | "creatorId">;

/**
 * Each returns the key after the update, or nothing if it no longer exists, or has another creator by now. The creator
 * is compared so that no index is used for it: PostgreSQL would look through all of the creator's keys for the one.
 */
export const updates = {
  name: ({ id, creatorId }: OwnedKey, name: string, now: Date): SqlChange<ChangedKey> => changed.returning`
    UPDATE "Key" SET "name" = ${name}, "nameKey" = ${foldedNameOf(name)}, "updatedAt" = ${now}
    WHERE "id" = ${id} AND "creatorId" || '' = ${creatorId}`,
  price: ({ id, creatorId }: OwnedKey, price: string, now: Date): SqlChange<ChangedKey> => changed.returning`
    UPDATE "Key" SET "price" = ${price}, "updatedAt" = ${now} WHERE "id" = ${id} AND "creatorId" || '' = ${creatorId}`,
  /** Also returns nothing if the new data is longer: only data that grows needs a quota check. */
  data: (
    { id, creatorId }: OwnedKey,
    { data, sealedWith, dataBytes }: NewData,
    now: Date,
  ): SqlChange<ChangedKey> => changed.returning`
    UPDATE "Key" SET "data" = ${data}, "sealedWith" = ${sealedWith}, "dataBytes" = ${dataBytes}, "updatedAt" = ${now}
    WHERE "id" = ${id} AND "creatorId" || '' = ${creatorId} AND "dataBytes" >= ${dataBytes}`,
};

const sized = rowShape({ k: "Key" }, { dataBytes: "k.dataBytes" });
export const sizedKey = ({ id, creatorId }: OwnedKey) =>
  sized.from`"Key" k WHERE k."id" = ${id} AND k."creatorId" || '' = ${creatorId}`;

export const updateData = (
  id: string,
  { data, sealedWith, dataBytes }: NewData,
  now: Date,
): SqlChange<ChangedKey> => changed.returning`
  UPDATE "Key" SET "data" = ${data}, "sealedWith" = ${sealedWith}, "dataBytes" = ${dataBytes}, "updatedAt" = ${now}
  WHERE "id" = ${id}`;

/**
 * Removes a user from one creator's keys, `limit` at most: the keys held, or those hidden. It says nothing beside the
 * subquery, and the creator is compared as above: PostgreSQL, which believes that few keys match until it counts again,
 * would look for the `limit` keys anew for each key that the user holds.
 */
export const deleteHoldings = (
  userId: string,
  creatorId: string,
  { which, limit }: { which: "held" | "hidden"; limit: number },
) => keyHeld.returning`
  DELETE FROM "Holder" WHERE ("keyId", "userId") IN (
    SELECT h."keyId", h."userId" FROM "Holder" h JOIN "Key" k ON k."id" = h."keyId"
    WHERE h."userId" = ${userId} AND k."creatorId" || '' = ${creatorId}
      AND h."hiddenAt" IS ${which === "held" ? Prisma.empty : Prisma.raw("NOT")} NULL LIMIT ${limit})`;

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
export const changeCreator = (
  keyId: string,
  creatorId: string,
  { data, sealedWith, now }: { data: string; sealedWith: number; now: Date },
): SqlChange => sqlChange`
  UPDATE "Key" SET "creatorId" = ${creatorId}, "data" = ${data}, "sealedWith" = ${sealedWith}, "updatedAt" = ${now}
  WHERE "id" = ${keyId}`;

/** Users who had blocked the former creator, and not this one, hold the key from now on. */
export const unhide = (keyId: string, creatorId: string): SqlChange => sqlChange`
  UPDATE "Holder" SET "hiddenAt" = NULL WHERE "keyId" = ${keyId} AND "hiddenAt" IS NOT NULL
    AND "userId" NOT IN (SELECT b."userId" FROM "BlockedGiver" b WHERE b."giverId" = ${creatorId})`;

export const removeOffer = (keyId: string): SqlChange => sqlChange`DELETE FROM "KeyOffer" WHERE "keyId" = ${keyId}`;

/** Keys per statement, and bytes of their data: SQLite does nothing else meanwhile. */
const ROWS = 200;
const BYTES = 1_000_000;

const stored = rowShape(
  { k: "Key" },
  {
    id: "k.id",
    creatorId: "k.creatorId",
    storedData: "k.data",
    sealedWith: "k.sealedWith",
    dataBytes: "k.dataBytes",
    createdAt: "k.createdAt",
  },
);
export type StoredKeyRow = RowOf<typeof stored>;

/** A position in the order of creators. */
export type StoredPosition = Pick<StoredKeyRow, "creatorId" | "createdAt" | "id">;

const after = (start: StoredPosition | string) =>
  typeof start === "string"
    ? Prisma.sql`k."creatorId" > ${start}`
    : Prisma.sql`(k."creatorId", k."createdAt", k."id") > (${start.creatorId}, ${start.createdAt}, ${start.id})`;

/** The first keys of which this is true: the bound is on the sum of their sizes before sealing. */
const some = (condition: Prisma.Sql) => stored.from`(
  SELECT i."id", sum(i."dataBytes") OVER (ORDER BY i."creatorId", i."createdAt", i."id") - i."dataBytes" AS "before"
  FROM (
    SELECT k."id", k."creatorId", k."createdAt", k."dataBytes" FROM "Key" k WHERE ${condition}
    ORDER BY k."creatorId", k."createdAt", k."id" LIMIT ${ROWS}) i) s
  JOIN "Key" k ON k."id" = s."id"
  WHERE s."before" < ${BYTES} ORDER BY k."creatorId", k."createdAt", k."id"`;

/** Some keys after a position or a creator, with their data: none is the end. */
export const keysAfter = (position: StoredPosition | string) => some(after(position));

/** The same, only keys of creators up to this one, and only those not sealed with the creator's newest key. */
export const toReseal = (position: StoredPosition | string, lastCreator: string) =>
  some(Prisma.sql`${after(position)} AND k."creatorId" <= ${lastCreator} AND (k."sealedWith" IS NULL OR EXISTS (
    SELECT 1 FROM "UserKey" n WHERE n."userId" = k."creatorId" AND n."number" > k."sealedWith"))`);

/** A key's data as it was read, and as it is to be stored. */
export type Resealed = [id: string, creatorId: string, before: string, data: string, sealedWith: number];

/**
 * Changes nothing of a key that was changed, handed over or deleted since it was read. The creator is compared so that
 * no index is used for it, as in `updates`.
 */
export const reseal = (rows: readonly Resealed[]) => sqlChange`
  UPDATE "Key" SET "data" = r."data", "sealedWith" = r."sealedWith" FROM (
    SELECT "row"->>0 AS "id", "row"->>1 AS "creatorId", "row"->>2 AS "before", "row"->>3 AS "data",
      CAST("row"->>4 AS INTEGER) AS "sealedWith"
    FROM ${jsonRows(rows)}) r
  WHERE "Key"."id" = r."id" AND "Key"."creatorId" || '' = r."creatorId" AND "Key"."data" = r."before"`;
