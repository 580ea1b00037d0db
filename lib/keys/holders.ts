import { audit, by } from "@/lib/audit";
import { type Statements, transaction } from "@/lib/db/client";
import { lockKey, lockUser } from "@/lib/db/lock";
import { env } from "@/lib/env";
import { creatorAccess, holderLimit, keyMismatch, keyNotFound, notCreator } from "@/lib/errors";
import { type Caller, findUser } from "@/lib/user";
import { manages, requireManager } from "./find";
import type { KeyRow } from "./rows";
import { type End, isOver, notEnded, requireFuture } from "./until";

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
 * `end`, it stays as it is. A user who has blocked the key's creator does
 * not get it, but every response is the same, so that nobody learns of it. Throws 404 `user_not_found` and
 * `key_not_found`, 403 `not_creator` and `holder_limit`; `not_creator` also for an admin who adds itself, to read what
 * its role does not show; 400 for an end that is not in the future, and `creator_access` for one of the creator's.
 */
export async function addHolder(caller: Caller, row: KeyRow, name: string, end?: End): Promise<Added> {
  const target = await findUser(name);
  requireManager(caller, row);
  if (end !== undefined) requireFuture(end, new Date());
  if (end instanceof Date && target.id === row.creatorId)
    throw creatorAccess("A key's creator always holds it: that access cannot end.");
  const done = await transaction(async (tx) => {
    if (!(await lockKey(tx, row.id))) throw keyNotFound();
    await lockUser(tx, target.id);
    const now = new Date();
    const held = await tx.holder.findUnique({ where: { keyId_userId: { keyId: row.id, userId: target.id } } });
    const isHeld = held !== null && !isOver(held.until, now);
    const next = end instanceof Date ? end : null;
    if (isHeld && (end === undefined || held.until?.getTime() === next?.getTime())) return NOTHING;
    if (target.id === caller.id && caller.id !== row.creatorId)
      throw notCreator("An admin can add others to a key, not itself: only the key's creator can.");
    if (!isHeld) await roomForHolder(tx, row, target.id, now, held !== null);
    return grant(tx, row, { target, held, next, isNew: held === null || (!isHeld && next === null), now }, by(caller));
  });
  return { user: target.username, ...done };
}

const NOTHING = { added: false, changed: false };

interface Grant {
  target: Caller;
  held: { until: Date | null; hiddenAt: Date | null } | null;
  next: Date | null;
  /** False: the access goes on, with another end. */
  isNew: boolean;
  now: Date;
}

/** Writes the holder and the event. Access that has ended is as nothing: whether it is hidden is decided anew. */
async function grant(
  tx: Statements,
  row: KeyRow,
  { target, held, next, isNew, now }: Grant,
  who: ReturnType<typeof by>,
): Promise<Omit<Added, "user">> {
  const goesOn = held !== null && !isOver(held.until, now);
  const isBlocked = async () =>
    (await tx.blockedGiver.count({ where: { userId: target.id, giverId: row.creatorId } })) > 0;
  const hiddenAt = goesOn ? held.hiddenAt : (await isBlocked()) ? now : null;
  const where = { keyId: row.id, userId: target.id };
  const values = { until: next, hiddenAt, ...(isNew && { since: now }) };
  if (held) await tx.holder.update({ where: { keyId_userId: where }, data: values });
  else await tx.holder.create({ data: { ...where, ...values, since: now, keyCreatedAt: row.createdAt } });
  const detail = { ...who.detail, user: target.username, ...(next && { until: next.toISOString() }) };
  const action = isNew ? "key.add" : "key.until";
  const from = held?.until?.toISOString() ?? "";
  await audit({ at: now, action, subjectId: row.id, ...who, detail: isNew ? detail : { ...detail, from } }, tx);
  return { added: isNew, changed: !isNew };
}

/**
 * Throws 403 `holder_limit`. The rows of the key and of the user must be locked. Keys that the user has hidden, and
 * access that has ended, count only against their creator. `isListed`: the list names the user, whose access has ended.
 */
export async function roomForHolder(
  tx: Statements,
  row: Pick<KeyRow, "id" | "creatorId">,
  userId: string,
  now: Date,
  isListed: boolean,
): Promise<void> {
  if (!isListed && (await tx.holder.count({ where: { keyId: row.id } })) >= env.HOLDERS_PER_KEY)
    throw holderLimit(`A key can have ${env.HOLDERS_PER_KEY} holders at most.`);
  const given = await tx.holder.count({ where: { userId, key: { creatorId: row.creatorId } } });
  if (!isListed && given >= env.KEYS_HELD_PER_GIVER)
    throw holderLimit(
      `One user can hold ${env.KEYS_HELD_PER_GIVER} keys of the same creator at most. Revoke or delete another first.`,
    );
  const held = await tx.holder.count({
    where: { userId, hiddenAt: null, key: { creatorId: { not: userId } }, ...notEnded(now) },
  });
  if (held >= env.KEYS_HELD_FROM_OTHERS) throw holderLimit("This user holds as many keys of others as one user can.");
}

/**
 * Revokes a key from a user; holders may revoke their own. `revoked` is false if the user did not hold it; an access
 * that had ended leaves the list. Throws 404
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
