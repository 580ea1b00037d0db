import { audit } from "@/lib/audit";
import { db, sql, sqlTransaction, transaction } from "@/lib/db/client";
import { newId } from "@/lib/ids";
import type { Network } from "@/lib/network";
import { openToken } from "@/lib/tokens";
import type { LinkCode, User } from "@/prisma/generated/sqlite/client";
import { isBindingStrict, limitPoll } from "./guesses";
import { storedCodeHash } from "./hashes";
import { codeLetters } from "./letters";
import { ASK_AGAIN_WITHIN_SECONDS, secondsAfter } from "./lifetimes";
import { describeProgram } from "./program";

type CollectedLink = Pick<LinkCode, "status" | "collectedAt" | "collectedNetwork">;
type AskedLink = CollectedLink & Pick<LinkCode, "id" | "network" | "program" | "userId" | "tokenHash" | "expiresAt" | "collectBy" | "contestedAt">;
type Approver = Pick<User, "id" | "disabledAt" | "tokenHash" | "tokenSealed">;

/** One row for any code: all null where there is no such code, or nobody approved it. */
type Found = (AskedLink | { id: null }) & { approverId: string | null; disabledAt: Date | null; presentHash: string | null; tokenSealed: string | null };

/**
 * The token of the user who approved this code, once, or null: whether the code is malformed, unknown, pending, denied,
 * expired or collected cannot be told apart. Throws 429 `rate_limited`, but never for an approved code of one's own network.
 */
export async function collectToken(code: string, network: Network, now = new Date()): Promise<{ token: string } | null> {
  const letters = codeLetters(code);
  if (!letters) return null;
  const codeHash = await storedCodeHash(letters);
  const { link, user } = await findAsked(codeHash);
  // Behind an unconfigured proxy everybody has one network, which makes nobody the one who asked.
  const isOwn = network.kind !== "shared" && link?.network === network.id;
  const isReady = link && user && isCollectable(link, user, network, now);
  if (isOwn && isReady) return handOut(link, user, network, now);

  const isNewGuess = await limitPoll({ codeHash, network, isOwn, isMiss: !link || !isAlive(link, now) }, now);
  if (isOwn) return null;
  if (isReady && !(link.status === "approved" && (await isBindingStrict()))) return handOut(link, user, network, now);
  if (network.kind === "shared") return null;
  if (isNewGuess || (link?.status === "pending" && !link.contestedAt)) await noteStranger(codeHash, network, now);
  return null;
}

/** The user is looked up for any code, and nothing is answered from memory, so that every answer takes as long. */
async function findAsked(codeHash: string): Promise<{ link?: AskedLink; user?: Approver }> {
  const [found] = await sql.$queryRaw<Found[]>`
    SELECT l."id", l."status", l."network", l."program", l."userId", l."tokenHash", l."expiresAt", l."collectBy", l."contestedAt", l."collectedAt",
           l."collectedNetwork", u."id" AS "approverId", u."disabledAt", u."tokenHash" AS "presentHash", u."tokenSealed"
    FROM (SELECT CAST(${codeHash} AS TEXT) AS "hash") AS asked
    LEFT JOIN "LinkCode" l ON l."codeHash" = asked."hash"
    LEFT JOIN "User" u ON u."id" = COALESCE(l."userId", '')`;
  if (!found || found.id === null) return {};
  const { approverId, disabledAt, presentHash, tokenSealed } = found;
  const isApproved = approverId !== null && presentHash !== null && tokenSealed !== null;
  return { link: found, user: isApproved ? { id: approverId, disabledAt, tokenHash: presentHash, tokenSealed } : undefined };
}

function isCollectable(link: AskedLink, user: Approver, network: Network, now: Date): boolean {
  if (user.disabledAt || user.tokenHash !== link.tokenHash) return false;
  if (link.status === "approved") return link.collectBy !== null && link.collectBy > now && (link.network === network.id || !link.contestedAt);
  return wasCollectedHere(link, network, now);
}

/** A program whose answer was lost on the way asks again. */
function wasCollectedHere(link: CollectedLink | null, network: Network, now: Date): boolean {
  if (link?.status !== "collected" || !link.collectedAt || link.collectedNetwork !== network.id) return false;
  return link.collectedAt > secondsAfter(now, -ASK_AGAIN_WITHIN_SECONDS);
}

function isAlive(link: AskedLink, now: Date): boolean {
  if (link.status === "pending") return link.expiresAt > now;
  return link.status === "approved" && link.collectBy !== null && link.collectBy > now;
}

/** Everything that can fail comes before the step that cannot be undone, so no token is lost on the way. */
async function handOut(link: AskedLink, user: Approver, network: Network, now: Date): Promise<{ token: string } | null> {
  const token = openToken(user.tokenSealed, user.id);
  if (link.status === "collected" || (await markCollected(link, user.tokenHash, network, now))) return { token };
  const winner = await db.linkCode.findUnique({ where: { id: link.id } });
  return wasCollectedHere(winner, network, now) ? { token } : null;
}

function markCollected(link: AskedLink, tokenHash: string, network: Network, now: Date): Promise<boolean> {
  const stranger = link.network !== network.id;
  return transaction(async (tx) => {
    const { count } = await tx.linkCode.updateMany({
      where: {
        id: link.id,
        status: "approved",
        collectBy: { gt: now },
        ...(stranger ? { contestedAt: null } : {}),
        user: { disabledAt: null, tokenHash },
      },
      data: { status: "collected", collectedAt: now, collectedNetwork: network.id },
    });
    if (count === 0) return false;
    const detail = { network: network.id, program: describeProgram(link.program) };
    await audit({ at: now, action: "link.collect", subjectId: link.id, actorId: link.userId, detail }, tx);
    return true;
  });
}

/**
 * A stranger who knows a code before it was approved makes it contested: from now on only the network that asked for it may
 * collect. A miss is written down with the same statements, which change as many rows, so that its answer takes as long.
 */
async function noteStranger(codeHash: string, network: Network, now: Date): Promise<void> {
  await sqlTransaction(async (tx) => {
    const [contested] = await tx.$queryRaw<Pick<LinkCode, "id" | "program">[]>`
      UPDATE "LinkCode" SET "contestedAt" = ${now}
      WHERE "codeHash" = ${codeHash} AND "status" = 'pending' AND "expiresAt" > ${now} AND "contestedAt" IS NULL
      RETURNING "id", "program"`;
    const stranger = { network: network.id };
    const event = contested
      ? { action: "link.contest" as const, subjectId: contested.id, detail: { ...stranger, program: describeProgram(contested.program) } }
      : { action: "link.refuse" as const, subjectId: network.id, detail: stranger };
    await audit({ at: now, actorId: null, ...event }, tx);
    // A hit has changed a code's row; so does a miss, one at random and to what it was. No id begins with a g.
    await tx.$executeRaw`
      UPDATE "LinkCode" SET "program" = "program"
      WHERE "id" = (SELECT "id" FROM "LinkCode" WHERE "id" > ${contested ? "g" : newId()} ORDER BY "id" LIMIT 1)`;
  });
}
