import { Prisma } from "@/lib/db/client";
import { type RowOf, rowShape, textOrNull } from "@/lib/db/statement";
import { env } from "@/lib/env";

/** The expression of the index "Key_by_name". */
const LOWER_NAME = env.DATABASE_URL ? `(lower(k."name") COLLATE "C")` : `lower(k."name")`;
const lowerName = Prisma.raw(LOWER_NAME);

/** Everything of a key that an operator may see: never its data. */
const listed = rowShape(
  { k: "Key", c: "User" },
  {
    id: "k.id",
    name: "k.name",
    price: "k.price",
    bytes: "k.dataBytes",
    creator: "c.username",
    createdAt: "k.createdAt",
    lowerName: textOrNull(LOWER_NAME),
  },
);
export type ListedKeyRow = RowOf<typeof listed>;

/** The last key of the page before. */
export interface After {
  value: string;
  id: string;
}

const older = (after: After | undefined, at: "createdAt" | "keyCreatedAt", id: "id" | "keyId", alias: "k" | "h") => {
  const columns = Prisma.raw(`(${alias}."${at}", ${alias}."${id}")`);
  return after ? Prisma.sql`AND ${columns} < (${new Date(Number(after.value))}, ${after.id})` : Prisma.empty;
};

/** Every key, latest first. */
export const latestKeys = (limit: number, after: After | undefined) => listed.from`
  "Key" k JOIN "User" c ON c."id" = k."creatorId"
  WHERE 1 = 1 ${older(after, "createdAt", "id", "k")} ORDER BY k."createdAt" DESC, k."id" DESC LIMIT ${limit}`;

/** The keys of one creator, latest first. */
export const keysMadeBy = (creatorId: string, limit: number, after: After | undefined) => listed.from`
  "Key" k JOIN "User" c ON c."id" = k."creatorId"
  WHERE k."creatorId" = ${creatorId} ${older(after, "createdAt", "id", "k")}
  ORDER BY k."createdAt" DESC, k."id" DESC LIMIT ${limit}`;

/** The keys whose list of holders names this user, latest first. */
export const keysHeldBy = (userId: string, limit: number, after: After | undefined) => listed.from`
  "Holder" h JOIN "Key" k ON k."id" = h."keyId" JOIN "User" c ON c."id" = k."creatorId"
  WHERE h."userId" = ${userId} ${older(after, "keyCreatedAt", "keyId", "h")}
  ORDER BY h."keyCreatedAt" DESC, h."keyId" DESC LIMIT ${limit}`;

/** After every text that begins with the prefix. */
const LAST_CHARACTER = "\u{10ffff}";

/** The keys whose name begins with this text, whatever its case, in the order of their names. */
export const keysNamed = (prefix: string, limit: number, after: After | undefined) => listed.from`
  "Key" k JOIN "User" c ON c."id" = k."creatorId"
  WHERE ${lowerName} >= lower(CAST(${prefix} AS TEXT))
    AND ${lowerName} < lower(CAST(${prefix} AS TEXT)) || ${LAST_CHARACTER}
    ${after ? Prisma.sql`AND (${lowerName}, k."id") > (${after.value}, ${after.id})` : Prisma.empty}
  ORDER BY ${lowerName}, k."id" LIMIT ${limit}`;
