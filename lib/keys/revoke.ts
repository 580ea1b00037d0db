import { type Caller, findUser } from "@/lib/accounts/identity/user";
import { audit, by } from "@/lib/platform/audit";
import { type Statements, transaction } from "@/lib/platform/db/client";
import { ApiError } from "@/lib/platform/errors";
import { keepResult } from "@/lib/platform/requests/results";
import { findKey, lockManaged, manages, requireManager } from "./access";
import { creatorAccess } from "./errors";
import type { KeyRow } from "./queries";
import { isOver } from "./until";

/**
 * Revokes a key from a user; holders may revoke their own. `revoked` is false if the user did not hold it; an access
 * that had ended leaves the list. Throws 404 `user_not_found` and `key_not_found`, 403 `not_creator`, 400
 * `creator_access` for the creator, who always holds it.
 */
export async function revokeHolder(
  caller: Caller,
  row: KeyRow,
  name: string,
): Promise<{ user: string; revoked: boolean }> {
  const target = await findUser(name);
  if (!manages(caller, row) && target.id !== caller.id) requireManager(caller, row);
  if (target.id === row.creatorId) throw creatorAccess();
  return transaction(async (tx) => {
    await lockManaged(tx, row);
    const now = new Date();
    const result = { user: target.username, revoked: await removeHolder(tx, caller, { row, target, now }) };
    await keepResult(tx, caller, { result, at: now });
    return result;
  }, "even on a full disk");
}

/** Whether the user held the key until now. */
async function removeHolder(
  tx: Statements,
  caller: Caller,
  { row, target, now }: { row: KeyRow; target: Caller; now: Date },
): Promise<boolean> {
  const where = { keyId: row.id, userId: target.id };
  const listed = await tx.holder.findUnique({ where: { keyId_userId: where } });
  if (!listed || (await tx.holder.deleteMany({ where })).count === 0) return false;
  const access = { since: listed.since.toISOString(), ...(listed.until && { until: listed.until.toISOString() }) };
  await audit(
    {
      at: now,
      action: "key.revoke",
      subjectId: row.id,
      // The name of a leaving holder's token is none of the creator's business.
      ...(manages(caller, row)
        ? by(caller, { user: target.username, ...access })
        : by({ id: caller.id }, { user: target.username })),
    },
    tx,
  );
  return !isOver(listed.until, now);
}

/**
 * Leaves these keys of others, one after another, so that each is left or not regardless of the rest. Returns how many
 * the caller held; a key deleted meanwhile does not count. Throws 400 `creator_access` for one's own key.
 */
export async function leaveKeys(caller: Caller, keyIds: string[]): Promise<number> {
  let left = 0;
  for (const id of keyIds) if (await leave(caller, id)) left++;
  return left;
}

async function leave(caller: Caller, keyId: string): Promise<boolean> {
  try {
    return (await revokeHolder(caller, await findKey(caller, keyId), caller.username)).revoked;
  } catch (error) {
    if (error instanceof ApiError && error.code === "key_not_found") return false;
    throw error;
  }
}
