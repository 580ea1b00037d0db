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
  | "tokenHash"
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

/** The user who decided about it. */
export type Approver = Pick<User, "id" | "disabledAt" | "tokenHash" | "tokenSealed">;

/** One row for any code: all null where there is no such code, or nobody approved it. */
type Found = (AskedLink | { id: null }) & { approverId: string | null; disabledAt: Date | null; presentHash: string | null; tokenSealed: string | null };

/** The user is looked up for any code, and nothing is answered from memory, so that every answer takes as long. */
export async function findAsked(codeHash: string): Promise<{ link?: AskedLink; user?: Approver }> {
  const [found] = await sql.$queryRaw<Found[]>`
    SELECT l."id", l."status", l."createdAt", l."network", l."program", l."webPage", l."secretHash", l."boundAt", l."userId", l."tokenHash", l."expiresAt", l."collectBy",
           l."allowedNetwork", l."allowedWebPage", l."collectedAt", l."collectedNetwork", l."collectedProgram", l."collectedWebPage",
           u."id" AS "approverId", u."disabledAt", u."tokenHash" AS "presentHash", u."tokenSealed"
    FROM (SELECT CAST(${codeHash} AS TEXT) AS "hash") AS asked
    LEFT JOIN "LinkCode" l ON l."codeHash" = asked."hash"
    LEFT JOIN "User" u ON u."id" = COALESCE(l."userId", '')`;
  if (!found || found.id === null) return {};
  const { approverId, disabledAt, presentHash, tokenSealed } = found;
  const isApproved = approverId !== null && presentHash !== null && tokenSealed !== null;
  return { link: found, user: isApproved ? { id: approverId, disabledAt, tokenHash: presentHash, tokenSealed } : undefined };
}
