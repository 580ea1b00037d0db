import { integer, rowShape } from "@/lib/db/statement";

const stored = rowShape({}, { links: integer("count(*)") });
/** How many claim links are stored of a creator's keys. */
export const linksOf = (creatorId: string) => stored.from`
  "Key" k JOIN "ClaimBatch" b ON b."keyId" = k."id" JOIN "ClaimLink" l ON l."batchId" = b."id"
  WHERE k."creatorId" = ${creatorId}`;

/** The same of one key. */
export const linksOfKey = (keyId: string) => stored.from`
  "ClaimBatch" b JOIN "ClaimLink" l ON l."batchId" = b."id" WHERE b."keyId" = ${keyId}`;
