import { db } from "@/lib/platform/db/client";

/**
 * What a user shared or received by claim links and offers, for the archive: the links of their keys, without the
 * secrets in them; what they claimed; and the offers that wait, of their keys and to them.
 */
export async function claimsAndOffersOf(userId: string) {
  const [claimLinks, claims, offers] = await Promise.all([
    db.claimBatch.findMany({
      where: { key: { creatorId: userId } },
      omit: { id: true },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    }),
    db.claim.findMany({
      where: { userId },
      select: { at: true, link: { select: { batch: { select: { keyId: true } } } } },
      orderBy: { at: "asc" },
    }),
    db.keyOffer.findMany({
      where: { OR: [{ userId }, { key: { creatorId: userId } }] },
      select: { keyId: true, at: true, user: { select: { username: true } } },
      orderBy: { at: "asc" },
    }),
  ]);
  return {
    claimLinks,
    claims: claims.map(({ at, link }) => ({ key: link.batch.keyId, at })),
    offers: offers.map(({ keyId, at, user }) => ({ key: keyId, to: user.username, at })),
  };
}
