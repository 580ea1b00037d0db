import { type Caller, findUser } from "@/lib/accounts/identity/user";
import { audit, auditAll, auditEvents, by } from "@/lib/platform/audit";
import { counted } from "@/lib/platform/bounds";
import { currentUserKey } from "@/lib/platform/crypto/user-keys";
import { db, Prisma, type SqlTransaction, type Statements, sql, transaction } from "@/lib/platform/db/client";
import { lockKey, rowLock } from "@/lib/platform/db/lock";
import { insert } from "@/lib/platform/db/statement";
import { env } from "@/lib/platform/env";
import { ApiError, invalidParameter } from "@/lib/platform/errors";
import { keepResult, writeResult } from "@/lib/platform/requests/results";
import { lockManaged } from "./access";
import { dataOf, sealData } from "./data";
import { holderLimit, notCreator } from "./errors";
import { requireClaimLinkQuota, requireKeyQuota } from "./limits";
import { linksOfKey } from "./list-queries";
import { changeCreator, holdersCount, type KeyRow, type OfferedKey, offerTo, removeOffer, unhide } from "./queries";

/** Keys per transaction. */
const KEYS_AT_ONCE = 200;

/**
 * Offers a key to a user, who becomes its creator by accepting; an earlier offer of the key is replaced. Throws 403
 * `not_creator`, also for an admin; 404 `user_not_found` and `key_not_found`; 400 for oneself.
 */
export async function offerKey(caller: Caller, row: KeyRow, name: string): Promise<{ user: string }> {
  if (caller.id !== row.creatorId) throw notCreator();
  const target = await receiver(caller, name);
  const result = { user: target.username };
  await transaction(async (tx) => {
    await lockManaged(tx, row);
    const at = await writeOffers(tx, caller, { keyIds: [row.id], target });
    await keepResult(tx, caller, { result, at });
  });
  return result;
}

/**
 * The same for all keys of the caller. Returns how many there are. Throws 409 `keys_changed` if they are not
 * `expectedCount`.
 */
export async function offerAllKeys(
  caller: Caller,
  name: string,
  expectedCount?: number,
): Promise<{ user: string; keys: number }> {
  const target = await receiver(caller, name);
  if (expectedCount !== undefined && (await db.key.count({ where: { creatorId: caller.id } })) !== expectedCount)
    throw new ApiError(409, "keys_changed", "Your keys have changed since this page was shown. Reload it.");
  let keys = 0;
  for (let after = ""; ; ) {
    const where = { creatorId: caller.id, id: { gt: after } };
    const rows = await db.key.findMany({ where, select: { id: true }, orderBy: { id: "asc" }, take: KEYS_AT_ONCE });
    const isLast = rows.length < KEYS_AT_ONCE;
    keys += await transaction(async (tx) => {
      const own = { id: { in: rows.map(({ id }) => id) }, creatorId: caller.id };
      // Locks them: an update that changes nothing.
      await tx.key.updateMany({ where: own, data: { creatorId: caller.id } });
      const ids = (await tx.key.findMany({ where: own, select: { id: true } })).map(({ id }) => id);
      const at = await writeOffers(tx, caller, { keyIds: ids, target });
      if (isLast) await keepResult(tx, caller, { result: { user: target.username, keys: keys + ids.length }, at });
      return ids.length;
    });
    if (isLast) return { user: target.username, keys };
    after = rows.at(-1)?.id ?? "";
  }
}

async function receiver(caller: Caller, name: string): Promise<Caller> {
  const target = await findUser(name);
  if (target.id === caller.id) throw invalidParameter("This key is already yours.", "username");
  return target;
}

async function writeOffers(
  tx: Statements,
  caller: Caller,
  { keyIds, target }: { keyIds: string[]; target: Caller },
): Promise<Date> {
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
  return at;
}

/** The same for an offer that was withdrawn, declined or replaced, and one to somebody else. */
const offerNotFound = () => new ApiError(404, "offer_not_found", "This key is no longer offered to you.");

/** Withdraws an offer. Returns whether there was one. Throws 403 `not_creator`, 404 `key_not_found`. */
export async function withdrawOffer(caller: Caller, row: KeyRow): Promise<boolean> {
  if (caller.id !== row.creatorId) throw notCreator();
  return transaction(async (tx) => {
    await lockManaged(tx, row);
    const offer = await tx.keyOffer.findUnique({ where: { keyId: row.id }, select: { user: true } });
    if (!offer) return false;
    await tx.keyOffer.delete({ where: { keyId: row.id } });
    const detail = { user: offer.user.username };
    await audit({ at: new Date(), action: "key.withdraw", subjectId: row.id, ...by(caller, detail) }, tx);
    return true;
  }, "even on a full disk");
}

/** Declines a key that is offered to the caller. Throws 404 `offer_not_found`. */
export async function declineKey(caller: Caller, keyId: string): Promise<void> {
  await transaction(async (tx) => {
    await lockKey(tx, keyId);
    const { count } = await tx.keyOffer.deleteMany({ where: { keyId, userId: caller.id } });
    if (count === 0) throw offerNotFound();
    const detail = { user: caller.username };
    const at = new Date();
    await audit({ at, action: "key.decline", subjectId: keyId, ...by(caller, detail) }, tx);
    await keepResult(tx, caller, { result: null, at });
  }, "even on a full disk");
}

/** Offers that the page shows at a time. */
export const OFFERS_A_PAGE = 25;

/** A key that somebody wants to hand over to the viewer. */
export interface Offer {
  id: string;
  name: string;
  creator: string;
  at: Date;
  /** When the key was last changed. */
  changedAt: Date;
  holders: number;
}

/** The keys that are offered to the caller, latest first, without those of blocked creators; and how many. */
export async function offersTo(caller: Pick<Caller, "id">): Promise<{ offers: Offer[]; total: number }> {
  const blocks = { none: { userId: caller.id } };
  const where = { userId: caller.id, key: { creator: { deletingAt: null, blockedBy: blocks } } };
  const total = await db.keyOffer.count({ where });
  if (total === 0) return { offers: [], total };
  const rows = await db.keyOffer.findMany({
    where,
    select: {
      at: true,
      key: {
        select: {
          id: true,
          name: true,
          updatedAt: true,
          creator: { select: { username: true } },
        },
      },
    },
    orderBy: [{ at: "desc" }, { keyId: "asc" }],
    take: OFFERS_A_PAGE,
  });
  // With the offers, the holders of every key would be counted.
  const counted = await db.holder.groupBy({
    by: ["keyId"],
    where: { keyId: { in: rows.map(({ key }) => key.id) } },
    _count: true,
  });
  const holders = new Map(counted.map(({ keyId, _count }) => [keyId, _count]));
  const offers = rows.map(({ at, key: { id, name, updatedAt, creator } }) => ({
    id,
    name,
    at,
    changedAt: updatedAt,
    creator: creator.username,
    holders: holders.get(id) ?? 0,
  }));
  return { offers, total };
}

/** To whom this key is offered, if it is. */
export async function offerOf(keyId: string): Promise<{ user: string; at: Date } | null> {
  const offer = await db.keyOffer.findUnique({
    where: { keyId },
    select: { at: true, user: { select: { username: true } } },
  });
  return offer && { user: offer.user.username, at: offer.at };
}

/**
 * Makes the caller the creator of a key that is offered to them. Its holders stay, the former creator among them, and
 * so do its claim links and its history. Throws 404 `offer_not_found`, also if the former creator deletes their
 * account; 409 `offer_changed` if it is not as `expected`; 403 `key_limit`, `claim_limit` and `holder_limit` by the
 * caller's quotas, and 500 `data_damaged`: then the offer stands.
 */
export async function acceptOffer(
  caller: Caller,
  keyId: string,
  expected?: { at: Date; changedAt: Date },
): Promise<void> {
  const current = await currentUserKey(caller.id);
  await sql.write(async (tx) => {
    await tx.write(rowLock.key(keyId));
    const before = await lockedOffer(tx, keyId, caller.id);
    // In one order, so that two users who accept keys of each other do not wait for each other.
    for (const id of [before.creatorId, caller.id].sort()) await tx.write(rowLock.user(id));
    const key = await lockedOffer(tx, keyId, caller.id);
    const times = [key.offeredAt, key.updatedAt].map(Number);
    if (expected && String(times) !== String([expected.at, expected.changedAt].map(Number)))
      throw new ApiError(409, "offer_changed", "This key was changed or offered again. Check it and try again.");
    await requireQuotas(tx, key, caller.id);
    const now = new Date();
    const sealed = sealData({ id: keyId, creatorId: caller.id }, await dataOf(key, tx), current);
    await tx.write(changeCreator(keyId, caller.id, { ...sealed, now }));
    const holder = { keyId, userId: caller.id, since: now, keyCreatedAt: key.createdAt, hiddenAt: null, until: null };
    await tx.write(insert("Holder", holder, { unique: ["keyId", "userId"], set: ["hiddenAt", "until"] }));
    await tx.write(unhide(keyId, caller.id));
    await tx.write(removeOffer(keyId));
    const detail = { user: caller.username, from: key.creator };
    await tx.write(auditEvents({ at: now, action: "key.accept", subjectId: keyId, ...by(caller, detail) }));
    await writeResult(tx, caller, { result: null, at: now });
  });
}

/** Throws 404 `offer_not_found`: a deletion of the account that has begun deletes its keys. */
async function lockedOffer(tx: SqlTransaction, keyId: string, userId: string): Promise<OfferedKey> {
  const [key] = await tx.read(offerTo(keyId, userId));
  if (!key || key.deletingAt !== null) throw offerNotFound();
  return key;
}

async function requireQuotas(tx: SqlTransaction, key: OfferedKey, callerId: string): Promise<void> {
  await requireKeyQuota(tx, callerId, { keys: 1, bytes: key.dataBytes });
  const [stored] = await tx.read(linksOfKey(key.id));
  await requireClaimLinkQuota(tx, callerId, stored?.links ?? 0);
  if (key.since !== null) return;
  const [listed] = await tx.read(holdersCount(key.id, Prisma.empty));
  if ((listed?.total ?? 0) >= env.HOLDERS_PER_KEY)
    throw holderLimit(
      `This key has ${counted(env.HOLDERS_PER_KEY, "holder", "holders")}, the most a key can have. Its creator ` +
        "must revoke one first.",
    );
}
