import { audit } from "@/lib/audit";
import { transaction } from "@/lib/db/client";
import { lockKey, lockUser } from "@/lib/db/lock";
import { env } from "@/lib/env";
import { ApiError, keyNotFound } from "@/lib/errors";
import { findTarget, type KeyRow, manages, mustManage, type Viewer } from "./find";

/** Throws 400 `key_mismatch` unless the parameter `key` repeats the id of the path (contract, section 2: admin_add). */
export function mustRepeat(id: string, key: string): boolean {
  if (key !== id) throw new ApiError(400, "key_mismatch", "The parameter key must be the id in the path.");
  return true;
}

/**
 * Lets a user hold the key. `added` is false where the user held it already. Throws 404 `user_not_found` and `key_not_found`,
 * 403 `not_creator` and `holder_limit`.
 */
export async function addHolder(viewer: Viewer, row: KeyRow, name: string): Promise<{ user: string; added: boolean }> {
  const target = await findTarget(name);
  mustManage(viewer, row);
  const added = await transaction(async (tx) => {
    if (!(await lockKey(tx, row.id))) throw keyNotFound();
    await lockUser(tx, target.id);
    const held = await tx.holder.findUnique({ where: { keyId_userId: { keyId: row.id, userId: target.id } } });
    if (held) return false;
    if ((await tx.holder.count({ where: { keyId: row.id } })) >= env.HOLDERS_PER_KEY)
      throw new ApiError(403, "holder_limit", `A key can have ${env.HOLDERS_PER_KEY} holders at most.`);
    if (
      target.id !== row.creatorId &&
      (await tx.holder.count({ where: { userId: target.id, key: { creatorId: { not: target.id } } } })) >= env.KEYS_HELD_FROM_OTHERS
    )
      throw new ApiError(403, "holder_limit", "This user holds as many keys of others as one user can.");
    const now = new Date();
    await tx.holder.create({ data: { keyId: row.id, userId: target.id, since: now, keyCreatedAt: row.createdAt } });
    await audit({ at: now, action: "key.add", subjectId: row.id, actorId: viewer.id, detail: { user: target.username } }, tx);
    return true;
  });
  return { user: target.username, added };
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
