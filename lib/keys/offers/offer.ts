import { audit, auditAll, by } from "@/lib/audit";
import { db, type Statements, transaction, transactionOnFullDisk } from "@/lib/db/client";
import { lockKey } from "@/lib/db/lock";
import { ApiError, invalidParameter, notCreator } from "@/lib/errors";
import { type Caller, findUser } from "@/lib/user";
import { lockManaged } from "../find";
import type { KeyRow } from "../rows";

/** Keys per transaction. */
const KEYS_AT_ONCE = 200;

/**
 * Offers a key to a user, who becomes its creator by accepting; an earlier offer of the key is replaced. Throws 403
 * `not_creator`, also for an admin; 404 `user_not_found` and `key_not_found`; 400 for oneself.
 */
export async function offerKey(caller: Caller, row: KeyRow, name: string): Promise<{ user: string }> {
  if (caller.id !== row.creatorId) throw notCreator();
  const target = await receiver(caller, name);
  await transaction(async (tx) => {
    await lockManaged(tx, row);
    await writeOffers(tx, caller, [row.id], target);
  });
  return { user: target.username };
}

/**
 * The same for all keys of the caller. Returns how many there are. Throws 409 `keys_changed` if they are not as many as
 * were `shown`.
 */
export async function offerAllKeys(
  caller: Caller,
  name: string,
  shown?: number,
): Promise<{ user: string; keys: number }> {
  const target = await receiver(caller, name);
  if (shown !== undefined && (await db.key.count({ where: { creatorId: caller.id } })) !== shown)
    throw new ApiError(409, "keys_changed", "Your keys have changed since this page was shown. Reload it.");
  let keys = 0;
  for (let after = ""; ; ) {
    const where = { creatorId: caller.id, id: { gt: after } };
    const found = await db.key.findMany({ where, select: { id: true }, orderBy: { id: "asc" }, take: KEYS_AT_ONCE });
    keys += await transaction(async (tx) => {
      const own = { id: { in: found.map(({ id }) => id) }, creatorId: caller.id };
      // Locks them: an update that changes nothing.
      await tx.key.updateMany({ where: own, data: { creatorId: caller.id } });
      const ids = (await tx.key.findMany({ where: own, select: { id: true } })).map(({ id }) => id);
      await writeOffers(tx, caller, ids, target);
      return ids.length;
    });
    if (found.length < KEYS_AT_ONCE) return { user: target.username, keys };
    after = found.at(-1)?.id ?? "";
  }
}

async function receiver(caller: Caller, name: string): Promise<Caller> {
  const target = await findUser(name);
  if (target.id === caller.id) throw invalidParameter("This is your own key already.", "username");
  return target;
}

async function writeOffers(tx: Statements, caller: Caller, keyIds: string[], target: Caller): Promise<void> {
  const at = new Date();
  await tx.keyOffer.deleteMany({ where: { keyId: { in: keyIds } } });
  await tx.keyOffer.createMany({ data: keyIds.map((keyId) => ({ keyId, userId: target.id, at })) });
  const events = keyIds.map((subjectId) => ({
    at,
    action: "key.offer" as const,
    subjectId,
    ...by(caller, { user: target.username }),
  }));
  await auditAll(events, tx);
}

/** The same for an offer that was withdrawn, declined or replaced, and one to somebody else. */
export const offerNotFound = () => new ApiError(404, "offer_not_found", "This key is not offered to you any more.");

/** Takes an offer back. Returns whether there was one. Throws 403 `not_creator`, 404 `key_not_found`. */
export async function withdrawOffer(caller: Caller, row: KeyRow): Promise<boolean> {
  if (caller.id !== row.creatorId) throw notCreator();
  return transactionOnFullDisk(async (tx) => {
    await lockManaged(tx, row);
    const offer = await tx.keyOffer.findUnique({ where: { keyId: row.id }, select: { user: true } });
    if (!offer) return false;
    await tx.keyOffer.delete({ where: { keyId: row.id } });
    const detail = { user: offer.user.username };
    await audit({ at: new Date(), action: "key.withdraw", subjectId: row.id, ...by(caller, detail) }, tx);
    return true;
  });
}

/** Declines a key that is offered to the caller. Throws 404 `offer_not_found`. */
export async function declineKey(caller: Caller, keyId: string): Promise<void> {
  await transactionOnFullDisk(async (tx) => {
    await lockKey(tx, keyId);
    const { count } = await tx.keyOffer.deleteMany({ where: { keyId, userId: caller.id } });
    if (count === 0) throw offerNotFound();
    const detail = { user: caller.username };
    await audit({ at: new Date(), action: "key.decline", subjectId: keyId, ...by(caller, detail) }, tx);
  });
}
