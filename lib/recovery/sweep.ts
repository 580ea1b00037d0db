import { db } from "@/lib/db/client";
import { BATCH, inBatches } from "@/lib/db/in-batches";

/** Deletes expired recovery links and invitations, in small statements. Returns how many. */
export async function sweepOneTimeLinks(now = new Date()): Promise<number> {
  const expired = { where: { expiresAt: { lte: now } }, take: BATCH };
  const links = await inBatches(async () => {
    const found = await db.recoveryLink.findMany({ ...expired, select: { hash: true } });
    return (await db.recoveryLink.deleteMany({ where: { hash: { in: found.map(({ hash }) => hash) } } })).count;
  });
  const invitations = await inBatches(async () => {
    const found = await db.invitation.findMany({ ...expired, select: { hash: true } });
    return (await db.invitation.deleteMany({ where: { hash: { in: found.map(({ hash }) => hash) } } })).count;
  });
  return links + invitations;
}
