import { audit, by } from "@/lib/audit";
import { type Statements, transaction } from "@/lib/db/client";
import { lockKey, lockUser } from "@/lib/db/lock";
import { env } from "@/lib/env";
import { creatorAccess, holderLimit, keyMismatch, keyNotFound, notCreator } from "@/lib/errors";
import { type Caller, findUser } from "@/lib/user";
import { manages, requireManager } from "./find";
import type { KeyRow } from "./rows";

/**
 * Throws 400 `key_mismatch` unless the parameter `key` repeats the id of the path (contract, section 2:
 * /keys/admin_add).
 */
export function requireSameId(id: string, key: string): void {
  if (key !== id) throw keyMismatch();
}

/**
 * Adds a holder to the key. `added` is false if the user held it already. A user who has blocked the key's creator does
 * not get it, but every response is the same, so that nobody learns of it. Throws 404 `user_not_found` and
 * `key_not_found`, 403 `not_creator` and `holder_limit`; `not_creator` also for an admin who adds itself, to read what
 * its role does not show.
 */
export async function addHolder(caller: Caller, row: KeyRow, name: string): Promise<{ user: string; added: boolean }> {
  const target = await findUser(name);
  requireManager(caller, row);
  const added = await transaction(async (tx) => {
    if (!(await lockKey(tx, row.id))) throw keyNotFound();
    await lockUser(tx, target.id);
    const held = await tx.holder.findUnique({ where: { keyId_userId: { keyId: row.id, userId: target.id } } });
    if (held) return false;
    if (target.id === caller.id && caller.id !== row.creatorId)
      throw notCreator("An admin can add others to a key, not itself: only the key's creator can.");
    await roomForHolder(tx, row, target.id);
    const isBlocked = (await tx.blockedGiver.count({ where: { userId: target.id, giverId: row.creatorId } })) > 0;
    const now = new Date();
    await tx.holder.create({
      data: {
        keyId: row.id,
        userId: target.id,
        since: now,
        keyCreatedAt: row.createdAt,
        hiddenAt: isBlocked ? now : null,
      },
    });
    await audit({ at: now, action: "key.add", subjectId: row.id, ...by(caller, { user: target.username }) }, tx);
    return true;
  });
  return { user: target.username, added };
}

/**
 * Throws 403 `holder_limit`. The rows of the key and of the user must be locked. Keys that the user has hidden count
 * only against their creator.
 */
async function roomForHolder(tx: Statements, row: KeyRow, userId: string): Promise<void> {
  if ((await tx.holder.count({ where: { keyId: row.id } })) >= env.HOLDERS_PER_KEY)
    throw holderLimit(`A key can have ${env.HOLDERS_PER_KEY} holders at most.`);
  const given = await tx.holder.count({ where: { userId, key: { creatorId: row.creatorId } } });
  if (given >= env.KEYS_HELD_PER_GIVER)
    throw holderLimit(
      `One user can hold ${env.KEYS_HELD_PER_GIVER} keys of the same creator at most. Revoke or delete another first.`,
    );
  const held = await tx.holder.count({ where: { userId, hiddenAt: null, key: { creatorId: { not: userId } } } });
  if (held >= env.KEYS_HELD_FROM_OTHERS) throw holderLimit("This user holds as many keys of others as one user can.");
}

/**
 * Revokes a key from a user; holders may revoke their own. `revoked` is false if the user did not hold it. Throws 404
 * `user_not_found` and `key_not_found`, 403 `not_creator`, 400 `creator_access` for the creator, who always holds it.
 */
export async function revokeHolder(
  caller: Caller,
  row: KeyRow,
  name: string,
): Promise<{ user: string; revoked: boolean }> {
  const target = await findUser(name);
  if (!manages(caller, row) && target.id !== caller.id) requireManager(caller, row);
  if (target.id === row.creatorId) throw creatorAccess();
  const revoked = await transaction(async (tx) => {
    if (!(await lockKey(tx, row.id))) throw keyNotFound();
    const { count } = await tx.holder.deleteMany({ where: { keyId: row.id, userId: target.id } });
    if (count === 0) return false;
    await audit(
      {
        at: new Date(),
        action: "key.revoke",
        subjectId: row.id,
        // The name of a leaving holder's token is none of the creator's business.
        ...by(manages(caller, row) ? caller : { id: caller.id }, { user: target.username }),
      },
      tx,
    );
    return true;
  });
  return { user: target.username, revoked };
}
