import type { Caller } from "@/lib/accounts/identity/user";
import { countGuess } from "@/lib/accounts/ways-in/limits";
import { badLink, hashSecret } from "@/lib/accounts/ways-in/one-time-link";
import { audit, by } from "@/lib/platform/audit";
import { db, type Statements, transaction } from "@/lib/platform/db/client";
import { lockKey, lockUser } from "@/lib/platform/db/lock";
import { ApiError } from "@/lib/platform/errors";
import type { Network } from "@/lib/platform/network/network";
import { DAY_MS, latestNow } from "@/lib/platform/time";
import { hasBlocked } from "../block";
import { isHeld, listedOf, writeHolder } from "../grant";
import { requireHolderQuota } from "../limits";

/** What a link gives, as its visitor sees it. */
export interface ClaimPreview {
  keyId: string;
  name: string;
  creator: string;
  /** For how many days access lasts after claiming; null: without an end. */
  days: number | null;
  /** Whether the visitor has used this very link before: it gives nothing more. */
  isClaimed: boolean;
}

const LINK = {
  hash: true,
  claimed: true,
  batch: {
    select: {
      id: true,
      most: true,
      days: true,
      createdAt: true,
      expiresAt: true,
      key: {
        select: {
          id: true,
          name: true,
          creatorId: true,
          createdAt: true,
          creator: { select: { username: true, disabledAt: true } },
        },
      },
    },
  },
} as const;

async function linkBy(statements: Statements, hash: string, userId: string | undefined) {
  const link = await statements.claimLink.findUnique({ where: { hash }, select: LINK });
  if (!link || link.batch.key.creator.disabledAt) return null;
  const isClaimed =
    userId !== undefined &&
    (await statements.claim.findUnique({ where: { hash_userId: { hash, userId } }, select: { at: true } })) !== null;
  return { ...link, isClaimed };
}

type StoredLink = NonNullable<Awaited<ReturnType<typeof linkBy>>>;

const isOpenLink = ({ claimed, batch }: StoredLink, now: Date) =>
  claimed < batch.most && batch.expiresAt > now && batch.createdAt <= latestNow(now);

/**
 * What the link gives; changes nothing. A link that is used up, ended or expired is as an unknown one, except to those
 * who have claimed with it. Throws 404 `bad_link` and 429 `rate_limited`.
 */
export async function findClaim(
  visitor: { id: string } | null,
  secret: string,
  { network, now = new Date() }: { network: Network; now?: Date },
): Promise<ClaimPreview> {
  const guess = await countGuess(network);
  const link = await linkBy(db, hashSecret(secret), visitor?.id);
  if (!link || !(link.isClaimed || isOpenLink(link, now))) throw badLink();
  await guess.refund();
  const { key, days } = link.batch;
  return { keyId: key.id, name: key.name, creator: key.creator.username, days, isClaimed: link.isClaimed };
}

/** What came of claiming. */
export interface Claimed {
  keyId: string;
  /** False if the user had claimed with this link before: nothing was changed. */
  claimed: boolean;
  /** When the access ends; null if never. */
  until: Date | null;
}

/**
 * Gives the caller the key. Access that has an end goes on for the days of the link after that end. Claiming again with
 * the same link changes nothing. Throws as `findClaim`; 409 `own_key` and `already_held` if there is nothing to gain,
 * 403 `giver_blocked` and `holder_limit`: then the link can still be used.
 */
export async function acceptClaim(caller: Caller, secret: string, network: Network): Promise<Claimed> {
  const hash = hashSecret(secret);
  const { keyId } = await findClaim(caller, secret, { network });
  return transaction(async (tx) => {
    if (!(await lockKey(tx, keyId))) throw badLink();
    await lockUser(tx, caller.id);
    const now = new Date();
    const link = await linkBy(tx, hash, caller.id);
    const listed = await listedOf(tx, keyId, caller.id);
    if (link?.isClaimed) return { keyId, claimed: false, until: listed?.until ?? null };
    if (!link || !isOpenLink(link, now)) throw badLink();
    const { id: batchId, key, days } = link.batch;
    await requireGain(tx, caller, { creatorId: key.creatorId, held: isHeld(listed, now) ? listed : null });
    const isNew = !isHeld(listed, now);
    if (isNew)
      await requireHolderQuota(tx, key, { userId: caller.id, now, isListed: listed !== null, isAccepted: true });
    const until = endAfter(days, isHeld(listed, now) ? listed.until : null, now);
    await writeHolder(tx, key, { userId: caller.id, listed, next: until, since: isNew ? now : undefined, now });
    await tx.claim.create({ data: { hash, userId: caller.id, at: now } });
    await tx.claimLink.update({ where: { hash }, data: { claimed: { increment: 1 } } });
    await tx.claimBatch.update({ where: { id: batchId }, data: { claimed: { increment: 1 } } });
    const detail = { user: caller.username, ...(until && { until: until.toISOString() }) };
    await audit({ at: now, action: "claim.use", subjectId: keyId, ...by(caller, detail) }, tx);
    return { keyId, claimed: true, until };
  });
}

/** A link must not be used up by somebody who gets nothing for it. */
async function requireGain(
  tx: Statements,
  caller: Caller,
  { creatorId, held }: { creatorId: string; held: { until: Date | null } | null },
): Promise<void> {
  if (caller.id === creatorId)
    throw new ApiError(409, "own_key", "This is your own key. Send the link to someone else.");
  if (held && held.until === null)
    throw new ApiError(409, "already_held", "You already hold this key. The link can still be used by someone else.");
  if (await hasBlocked(tx, caller.id, creatorId))
    throw new ApiError(403, "giver_blocked", "You have blocked the creator of this key. Unblock them on Keys first.");
}

/** Whole seconds, as every end is; rounded up, so that nobody gets less than was promised. */
function endAfter(days: number | null, before: Date | null, now: Date): Date | null {
  if (days === null) return null;
  const from = Math.max(now.getTime(), before?.getTime() ?? 0);
  return new Date(Math.ceil(from / 1000) * 1000 + days * DAY_MS);
}
