import { audit } from "@/lib/audit";
import { type Statements, transaction } from "@/lib/db/client";
import { lockKey, lockUser } from "@/lib/db/lock";
import { env } from "@/lib/env";
import { ApiError, keyNotFound } from "@/lib/errors";
import { findTarget, type KeyRow, manages, mustManage, type Viewer } from "./find";

/** Throws 400 `key_mismatch` unless the parameter `key` repeats the id of the path (contract, section 2: /keys/admin_add). */
export function mustRepeat(id: string, key: string): boolean {
  if (key !== id) throw new ApiError(400, "key_mismatch", "The parameter key must be the id in the path.");
  return true;
}

/**
 * Lets a user hold the key. `added` is false where the user held it already. Who has blocked the key's maker holds nothing of it,
 * and nobody is told: every answer is the same. Throws 404 `user_not_found` and `key_not_found`, 403 `not_creator` and `holder_limit`;
 * `not_creator` for an admin, too, that would add itself to read what its role does not show.
 */
export async function addHolder(viewer: Viewer, row: KeyRow, name: string): Promise<{ user: string; added: boolean }> {
  const target = await findTarget(name);
  mustManage(viewer, row);
  const added = await transaction(async (tx) => {
    if (!(await lockKey(tx, row.id))) throw keyNotFound();
    await lockUser(tx, target.id);
    const held = await tx.holder.findUnique({ where: { keyId_userId: { keyId: row.id, userId: target.id } } });
    if (held) return false;
    if (target.id === viewer.id && viewer.id !== row.creatorId)
      throw new ApiError(403, "not_creator", "An admin can add others to a key, not itself: only the key's creator can.");
    await roomForHolder(tx, row, target.id);
    const isBlocked = (await tx.blockedGiver.count({ where: { userId: target.id, giverId: row.creatorId } })) > 0;
    const now = new Date();
    await tx.holder.create({ data: { keyId: row.id, userId: target.id, since: now, keyCreatedAt: row.createdAt, hiddenAt: isBlocked ? now : null } });
    await audit({ at: now, action: "key.add", subjectId: row.id, actorId: viewer.id, detail: { user: target.username } }, tx);
    return true;
  });
  return { user: target.username, added };
}

/** Throws 403 `holder_limit`. The rows of the key and of the user must be locked. What the user has hidden counts for its maker only. */
async function roomForHolder(tx: Statements, row: KeyRow, userId: string): Promise<void> {
  if ((await tx.holder.count({ where: { keyId: row.id } })) >= env.HOLDERS_PER_KEY)
    throw new ApiError(403, "holder_limit", `A key can have ${env.HOLDERS_PER_KEY} holders at most.`);
  const [counted] = await tx.$queryRaw<{ held: bigint; given: bigint }[]>`
    SELECT count(*) FILTER (WHERE h."hiddenAt" IS NULL) AS "held", count(*) FILTER (WHERE k."creatorId" = ${row.creatorId}) AS "given"
    FROM "Holder" h JOIN "Key" k ON k."id" = h."keyId" WHERE h."userId" = ${userId} AND k."creatorId" <> ${userId}`;
  if (Number(counted?.given) >= env.KEYS_HELD_PER_GIVER)
    throw new ApiError(403, "holder_limit", `One user can hold ${env.KEYS_HELD_PER_GIVER} keys of the same maker at most. Revoke or delete another first.`);
  if (Number(counted?.held) >= env.KEYS_HELD_FROM_OTHERS) throw new ApiError(403, "holder_limit", "This user holds as many keys of others as one user can.");
}

/**
 * Takes a key from a user; a holder may give it back. `revoked` is false where the user did not hold it. Throws 404
 * `user_not_found` and `key_not_found`, 403 `not_creator`, 400 `creator_access` for the creator, who always holds it.
 */
export async function revokeHolder(viewer: Viewer, row: KeyRow, name: string): Promise<{ user: string; revoked: boolean }> {
  const target = await findTarget(name);
  if (!manages(viewer, row) && target.id !== viewer.id) mustManage(viewer, row);
  if (target.id === row.creatorId) throw new ApiError(400, "creator_access", "A key's creator always holds it. Delete the key instead.");
  const revoked = await transaction(async (tx) => {
    if (!(await lockKey(tx, row.id))) throw keyNotFound();
    const { count } = await tx.holder.deleteMany({ where: { keyId: row.id, userId: target.id } });
    if (count === 0) return false;
    await audit({ at: new Date(), action: "key.revoke", subjectId: row.id, actorId: viewer.id, detail: { user: target.username } }, tx);
    return true;
  });
  return { user: target.username, revoked };
}
