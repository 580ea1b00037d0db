import type { Statements } from "@/lib/db/client";
import { env } from "@/lib/env";
import { holderLimit } from "@/lib/errors";
import type { KeyRow } from "./rows";
import { isOver, notEnded } from "./until";

/** The row of somebody on a key's list. */
export interface Listed {
  until: Date | null;
  hiddenAt: Date | null;
}

type GrantedKey = Pick<KeyRow, "id" | "creatorId" | "createdAt">;

/** The row of this user on the key's list, also if the access has ended. */
export function listedOf(tx: Statements, keyId: string, userId: string): Promise<Listed | null> {
  return tx.holder.findUnique({ where: { keyId_userId: { keyId, userId } } });
}

/** Whether the user on the list holds the key now. */
export const isHeld = (listed: Listed | null, now: Date): listed is Listed =>
  listed !== null && !isOver(listed.until, now);

/**
 * Gives the user access until `next`, or without an end. `isNew`: since now. Access that has ended is as nothing:
 * whether it is hidden is decided anew. The rows of the key and of the user must be locked.
 */
export async function writeHolder(
  tx: Statements,
  key: GrantedKey,
  userId: string,
  { listed, next, isNew, now }: { listed: Listed | null; next: Date | null; isNew: boolean; now: Date },
): Promise<void> {
  const where = { keyId: key.id, userId };
  const hiddenAt = isHeld(listed, now) ? listed.hiddenAt : (await hasBlocked(tx, userId, key.creatorId)) ? now : null;
  const values = { until: next, hiddenAt, ...(isNew && { since: now }) };
  if (listed) await tx.holder.update({ where: { keyId_userId: where }, data: values });
  else await tx.holder.create({ data: { ...where, ...values, since: now, keyCreatedAt: key.createdAt } });
}

/** Whether the user has blocked this creator. */
export async function hasBlocked(tx: Statements, userId: string, giverId: string): Promise<boolean> {
  return (await tx.blockedGiver.count({ where: { userId, giverId } })) > 0;
}

/**
 * Throws 403 `holder_limit`. The rows of the key and of the user must be locked. Keys that the user has hidden, and
 * access that has ended, count only against their creator. `isListed`: the list names the user, whose access has ended.
 * `isAccepted`: the user asked for it, and so gets it even if others have filled the user's list, up to as many again.
 */
export async function roomForHolder(
  tx: Statements,
  key: Pick<KeyRow, "id" | "creatorId">,
  userId: string,
  now: Date,
  { isListed, isAccepted = false }: { isListed: boolean; isAccepted?: boolean },
): Promise<void> {
  if (!isListed && (await tx.holder.count({ where: { keyId: key.id } })) >= env.HOLDERS_PER_KEY)
    throw holderLimit(`A key can have ${env.HOLDERS_PER_KEY} holders at most.`);
  const given = await tx.holder.count({ where: { userId, key: { creatorId: key.creatorId } } });
  if (!isListed && given >= env.KEYS_HELD_PER_GIVER)
    throw holderLimit(
      `One user can hold ${env.KEYS_HELD_PER_GIVER} keys of the same creator at most. Revoke or delete another first.`,
    );
  const held = await tx.holder.count({
    where: { userId, hiddenAt: null, key: { creatorId: { not: userId } }, ...notEnded(now) },
  });
  if (held >= (isAccepted ? 2 : 1) * env.KEYS_HELD_FROM_OTHERS)
    throw holderLimit("This user holds as many keys of others as one user can.");
}
