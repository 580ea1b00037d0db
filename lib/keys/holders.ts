import { audit, by } from "@/lib/audit";
import { transaction, transactionOnFullDisk } from "@/lib/db/client";
import { lockUser } from "@/lib/db/lock";
import { creatorAccess, invalidParameter, keyMismatch, notCreator } from "@/lib/errors";
import { type Caller, findUser } from "@/lib/user";
import { lockManaged, manages, requireManager } from "./find";
import { isHeld, listedOf, roomForHolder, writeHolder } from "./grant";
import type { KeyRow } from "./rows";
import { type AccessEnd, notEnded, requireFuture } from "./until";

/**
 * Throws 400 `key_mismatch` unless the parameter `key` repeats the id of the path (contract, section 2:
 * /keys/admin_add).
 */
export function requireSameId(id: string, key: string): void {
  if (key !== id) throw keyMismatch();
}

/** What came of adding a holder. */
export interface Added {
  /** The user's name as it was chosen. */
  user: string;
  /** False if the user held the key already, or the access only got another end. */
  added: boolean;
  /** Whether an access that was there got another end. */
  changed: boolean;
}

/**
 * Adds a holder to the key, until `end` if there is one. A holder's access gets that end, also if it is over; without
 * `end`, it stays as it is. A user who has blocked the key's creator does not get it, but every response is the same,
 * so that nobody learns of it. Throws 404 `user_not_found` and `key_not_found`, 403 `not_creator` and `holder_limit`;
 * `not_creator` also for an admin who adds itself, to read what its role does not show; 400 `invalid_parameter` for an
 * end that is not in the future, and for one of the creator's.
 */
export async function addHolder(caller: Caller, row: KeyRow, name: string, end?: AccessEnd): Promise<Added> {
  const target = await findUser(name);
  requireManager(caller, row);
  if (end !== undefined) requireFuture(end, new Date());
  if (end instanceof Date && target.id === row.creatorId)
    throw invalidParameter("A key's creator always holds it: that access cannot end.", "username");
  const done = await transaction(async (tx) => {
    await lockManaged(tx, row);
    await lockUser(tx, target.id);
    const now = new Date();
    const listed = await listedOf(tx, row.id, target.id);
    const goesOn = isHeld(listed, now);
    const next = end instanceof Date ? end : null;
    if (goesOn && (end === undefined || listed.until?.getTime() === next?.getTime())) return NOTHING;
    if (target.id === caller.id && caller.id !== row.creatorId)
      throw notCreator("An admin can add others to a key, not itself: only the key's creator can.");
    if (!goesOn) await roomForHolder(tx, row, target.id, now, { isListed: listed !== null });
    const isNew = listed === null || (!goesOn && next === null);
    await writeHolder(tx, row, target.id, { listed, next, isNew, now });
    const detail = {
      user: target.username,
      ...(next && { until: next.toISOString() }),
      ...(!isNew && { from: listed.until?.toISOString() ?? "" }),
    };
    const action = isNew ? "key.add" : "key.until";
    await audit({ at: now, action, subjectId: row.id, ...by(caller, detail) }, tx);
    return { added: isNew, changed: !isNew };
  });
  return { user: target.username, ...done };
}

const NOTHING = { added: false, changed: false };

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
  const revoked = await transactionOnFullDisk(async (tx) => {
    await lockManaged(tx, row);
    const now = new Date();
    const where = { keyId: row.id, userId: target.id };
    const { count: held } = await tx.holder.deleteMany({ where: { ...where, ...notEnded(now) } });
    const count = held + (held === 0 ? (await tx.holder.deleteMany({ where })).count : 0);
    if (count === 0) return false;
    await audit(
      {
        at: now,
        action: "key.revoke",
        subjectId: row.id,
        // The name of a leaving holder's token is none of the creator's business.
        ...by(manages(caller, row) ? caller : { id: caller.id }, { user: target.username }),
      },
      tx,
    );
    return held > 0;
  });
  return { user: target.username, revoked };
}
