import { db } from "@/lib/db/client";
import type { Caller } from "@/lib/user";

/** Offers that the page shows at a time. */
export const OFFERS_SHOWN = 25;

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
  const found = await db.keyOffer.findMany({
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
    take: OFFERS_SHOWN,
  });
  // With the offers, the holders of every key would be counted.
  const counted = await db.holder.groupBy({
    by: ["keyId"],
    where: { keyId: { in: found.map(({ key }) => key.id) } },
    _count: true,
  });
  const holders = new Map(counted.map(({ keyId, _count }) => [keyId, _count]));
  const offers = found.map(({ at, key: { id, name, updatedAt, creator } }) => ({
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
