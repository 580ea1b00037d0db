import { auditEvents, by } from "@/lib/audit";
import { Prisma, type SqlTransaction, sql } from "@/lib/db/client";
import { insert } from "@/lib/db/insert";
import { rowLock } from "@/lib/db/lock";
import { env } from "@/lib/env";
import { ApiError, holderLimit } from "@/lib/errors";
import { currentUserKey } from "@/lib/sealing/user-keys";
import type { Caller } from "@/lib/user";
import { roomForLinks } from "../claims/create";
import { linksOfKey } from "../claims/rows";
import { roomForData } from "../create";
import { holdersCount } from "../rows";
import { dataOf, sealData } from "../sealed-data";
import { offerNotFound } from "./offer";
import { handOver, type OfferedKey, offerTo, removeOffer, unhide } from "./rows";

/**
 * Makes the caller the creator of a key that is offered to them. Its holders stay, the former creator among them, and
 * so do its claim links and its history. Throws 404 `offer_not_found`, also if the former creator deletes their
 * account; 409 `offer_changed` if it is not as it was `shown`; 403 `key_limit`, `claim_limit` and `holder_limit` by the
 * caller's quotas, and 500 `data_damaged`: then the offer stands.
 */
export async function acceptOffer(caller: Caller, keyId: string, shown?: { at: Date; changedAt: Date }): Promise<void> {
  const current = await currentUserKey(caller.id);
  await sql.write(async (tx) => {
    await tx.write(rowLock.key(keyId));
    const before = await offered(tx, keyId, caller.id);
    // In one order, so that two users who accept keys of each other do not wait for each other.
    for (const id of [before.creatorId, caller.id].sort()) await tx.write(rowLock.user(id));
    const key = await offered(tx, keyId, caller.id);
    const times = [key.offeredAt, key.updatedAt].map(Number);
    if (shown && String(times) !== String([shown.at, shown.changedAt].map(Number)))
      throw new ApiError(409, "offer_changed", "This key was changed or offered anew. Look at it again.");
    await requireRoom(tx, key, caller.id);
    const now = new Date();
    const sealed = sealData({ id: keyId, creatorId: caller.id }, await dataOf(key, tx), current);
    await tx.write(handOver(keyId, caller.id, sealed, now));
    const holder = { keyId, userId: caller.id, since: now, keyCreatedAt: key.createdAt, hiddenAt: null, until: null };
    await tx.write(insert("Holder", holder, { unique: ["keyId", "userId"], set: ["hiddenAt", "until"] }));
    await tx.write(unhide(keyId, caller.id));
    await tx.write(removeOffer(keyId));
    const detail = { user: caller.username, from: key.creator };
    await tx.write(auditEvents({ at: now, action: "key.accept", subjectId: keyId, ...by(caller, detail) }));
  });
}

/** Throws 404 `offer_not_found`: a deletion of the account that has begun takes its keys along. */
async function offered(tx: SqlTransaction, keyId: string, userId: string): Promise<OfferedKey> {
  const [key] = await tx.read(offerTo(keyId, userId));
  if (!key || key.deletingAt !== null) throw offerNotFound();
  return key;
}

async function requireRoom(tx: SqlTransaction, key: OfferedKey, callerId: string): Promise<void> {
  await roomForData(tx, callerId, { keys: 1, bytes: key.dataBytes });
  const [stored] = await tx.read(linksOfKey(key.id));
  await roomForLinks(tx, callerId, stored?.links ?? 0);
  if (key.since !== null) return;
  const [listed] = await tx.read(holdersCount(key.id, Prisma.empty));
  if ((listed?.total ?? 0) >= env.HOLDERS_PER_KEY)
    throw holderLimit(
      `This key has ${env.HOLDERS_PER_KEY} holders, which is the most. Its creator must revoke one first.`,
    );
}
