import { type Caller, findUser } from "@/lib/accounts/identity/user";
import { audit, by } from "@/lib/platform/audit";
import { type Statements, transaction } from "@/lib/platform/db/client";
import { lockUser } from "@/lib/platform/db/lock";
import { invalidParameter } from "@/lib/platform/errors";
import { keepResult } from "@/lib/platform/requests/results";
import { lockManaged, requireManager } from "./access";
import { hasBlocked } from "./block";
import { keyMismatch, notCreator } from "./errors";
import { requireHolderQuota } from "./limits";
import type { KeyRow } from "./queries";
import { type AccessEnd, isOver, requireFuture } from "./until";

/** The row of somebody on a key's list. */
interface Listed {
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
 * Gives the user access until `next`, or without an end. Without `since`, that of a listed user stays. Access that has
 * ended is as nothing: whether it is hidden is decided anew. The rows of the key and of the user must be locked.
 */
export async function writeHolder(
  tx: Statements,
  key: GrantedKey,
  {
    userId,
    listed,
    next,
    since,
    now,
  }: { userId: string; listed: Listed | null; next: Date | null; since?: Date; now: Date },
): Promise<void> {
  const where = { keyId: key.id, userId };
  const hiddenAt = isHeld(listed, now) ? listed.hiddenAt : (await hasBlocked(tx, userId, key.creatorId)) ? now : null;
  const values = { until: next, hiddenAt, ...(since && { since }) };
  if (listed) await tx.holder.update({ where: { keyId_userId: where }, data: values });
  else await tx.holder.create({ data: { since: now, ...where, ...values, keyCreatedAt: key.createdAt } });
}

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
export async function addHolder(
  caller: Caller,
  row: KeyRow,
  { username, end }: { username: string; end?: AccessEnd },
): Promise<Added> {
  const target = await findUser(username);
  requireManager(caller, row);
  if (end !== undefined) requireFuture(end, new Date());
  if (end instanceof Date && target.id === row.creatorId)
    throw invalidParameter("A key's creator always holds it: that access cannot end.", "username");
  return transaction(async (tx) => {
    await lockManaged(tx, row);
    await lockUser(tx, target.id);
    const now = new Date();
    const result = { user: target.username, ...(await grant(tx, caller, { row, target, end, now })) };
    await keepResult(tx, caller, { result, at: now });
    return result;
  });
}

async function grant(
  tx: Statements,
  caller: Caller,
  { row, target, end, now }: { row: KeyRow; target: Caller; end: AccessEnd | undefined; now: Date },
): Promise<Omit<Added, "user">> {
  const listed = await listedOf(tx, row.id, target.id);
  const goesOn = isHeld(listed, now);
  const next = end instanceof Date ? end : null;
  if (goesOn && (end === undefined || listed.until?.getTime() === next?.getTime())) return NOTHING;
  if (target.id === caller.id && caller.id !== row.creatorId)
    throw notCreator("Administrators can add others to a key, but not themselves: only the key's creator can.");
  if (!goesOn) await requireHolderQuota(tx, row, { userId: target.id, now, isListed: listed !== null });
  const isNew = listed === null || (!goesOn && next === null);
  await writeHolder(tx, row, { userId: target.id, listed, next, since: isNew ? now : undefined, now });
  const detail = {
    user: target.username,
    ...(next && { until: next.toISOString() }),
    ...(!isNew && { from: listed.until?.toISOString() ?? "" }),
  };
  const action = isNew ? "key.add" : "key.until";
  await audit({ at: now, action, subjectId: row.id, ...by(caller, detail) }, tx);
  return { added: isNew, changed: !isNew };
}

const NOTHING = { added: false, changed: false };
