import { sql } from "@/lib/db/client";
import type { LinkCode, User } from "@/prisma/generated/sqlite/client";

type Columns =
  | "id"
  | "status"
  | "createdAt"
  | "network"
  | "program"
  | "webPage"
  | "secretHash"
  | "boundAt"
  | "userId"
  | "expiresAt"
  | "collectBy"
  | "allowedNetwork"
  | "allowedWebPage"
  | "collectedAt"
  | "collectedNetwork"
  | "collectedProgram"
  | "collectedWebPage";

/** What a question for a code has to know of it. */
export type AskedLink = Pick<LinkCode, Columns>;

/** The user who decided about it: not disabled, and with the token of that moment. */
export type Approver = Pick<User, "id" | "tokenHash" | "tokenSealed">;

/** One row for any code: all null where there is no such code, or nobody approved it. */
type Found = (AskedLink | { id: null }) & { tokenHash: string | null; tokenSealed: string | null };

/** The user is looked up for any code, and nothing is answered from memory, so that every answer takes as long. Each column costs every poll. */
export async function findAsked(codeHash: string): Promise<{ link?: AskedLink; user?: Approver }> {
  const [found] = await sql.$queryRaw<Found[]>`
    SELECT l."id", l."status", l."createdAt", l."network", l."program", l."webPage", l."secretHash", l."boundAt", l."userId", l."expiresAt", l."collectBy",
           l."allowedNetwork", l."allowedWebPage", l."collectedAt", l."collectedNetwork", l."collectedProgram", l."collectedWebPage",
           u."tokenHash", u."tokenSealed"
    FROM (SELECT CAST(${codeHash} AS TEXT) AS "hash") AS asked
    LEFT JOIN "LinkCode" l ON l."codeHash" = asked."hash"
    LEFT JOIN "User" u ON u."id" = COALESCE(l."userId", '') AND u."tokenHash" = l."tokenHash" AND u."disabledAt" IS NULL`;
  if (!found || found.id === null) return {};
  const { userId, tokenHash, tokenSealed } = found;
  const isApproved = userId !== null && tokenHash !== null && tokenSealed !== null;
  return { link: found, user: isApproved ? { id: userId, tokenHash, tokenSealed } : undefined };
}
