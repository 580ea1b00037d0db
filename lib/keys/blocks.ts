import { auditAll } from "@/lib/audit";
import { db, Prisma, transaction } from "@/lib/db/client";
import { lockUser } from "@/lib/db/lock";
import { ApiError, invalidParameter } from "@/lib/errors";
import { findTarget, type Viewer } from "./find";

/** Givers that one user can block. */
const MOST_BLOCKED = 1_000;
/** Keys of one transaction. */
const KEYS_AT_ONCE = 200;

/** Somebody whose keys the user does not want. */
export interface BlockedGiver {
  username: string;
  since: Date;
}

/** Everybody whom the user blocks, the latest first: 1,000 at most. */
export async function blockedGivers({ id }: { id: string }): Promise<BlockedGiver[]> {
  const blocks = await db.blockedGiver.findMany({
    where: { userId: id },
    select: { since: true, giver: { select: { username: true } } },
    orderBy: [{ since: "desc" }, { giverId: "asc" }],
    take: MOST_BLOCKED,
  });
  return blocks.map(({ since, giver }) => ({ username: giver.username, since }));
}

/**
 * From now on the viewer holds no key more of this maker's: who adds the viewer to one is answered as ever, and the key's list names the
 * viewer, who holds nothing of it. With `andLeave` all of that maker's keys are left, too. Answers how many were. Throws 404 `user_not_found`,
 * 400 `invalid_parameter` for oneself, 403 `block_limit`.
 */
export async function blockGiver(viewer: Viewer, name: string, andLeave: boolean, now = new Date()): Promise<{ giver: string; left: number }> {
  const giver = await findTarget(name);
  if (giver.id === viewer.id) throw invalidParameter("You cannot block yourself.");
  await transaction(async (tx) => {
    await lockUser(tx, viewer.id);
    if ((await tx.blockedGiver.count({ where: { userId: viewer.id, giverId: { not: giver.id } } })) >= MOST_BLOCKED)
      throw new ApiError(403, "block_limit", `You can block ${MOST_BLOCKED} people at most. Unblock one first.`);
    const block = { userId: viewer.id, giverId: giver.id };
    await tx.blockedGiver.upsert({ where: { userId_giverId: block }, create: { ...block, since: now }, update: {} });
  });
  return { giver: giver.username, left: andLeave ? await takeOff(viewer, giver.id, "held", now) : 0 };
}

/** The maker gives to the viewer again. What came meanwhile was never held, and is not now. Throws 404 `user_not_found`. */
export async function unblockGiver(viewer: Viewer, name: string, now = new Date()): Promise<void> {
  const giver = await findTarget(name);
  await transaction(async (tx) => {
    await lockUser(tx, viewer.id);
    await tx.blockedGiver.deleteMany({ where: { userId: viewer.id, giverId: giver.id } });
  });
  await takeOff(viewer, giver.id, "hidden", now);
}

/** Takes the viewer off the lists of a maker's keys, some at a time, as if each were left. Answers how many there were. */
async function takeOff(viewer: Viewer, giverId: string, which: "held" | "hidden", now: Date): Promise<number> {
  const hidden = which === "held" ? Prisma.sql`h."hiddenAt" IS NULL` : Prisma.sql`h."hiddenAt" IS NOT NULL`;
  let taken = 0;
  for (;;) {
    const some = await transaction(async (tx) => {
      await lockUser(tx, viewer.id);
      const keys = await tx.$queryRaw<{ keyId: string }[]>`
        DELETE FROM "Holder" WHERE "userId" = ${viewer.id} AND "keyId" IN (
          SELECT h."keyId" FROM "Holder" h JOIN "Key" k ON k."id" = h."keyId"
          WHERE h."userId" = ${viewer.id} AND k."creatorId" = ${giverId} AND ${hidden} LIMIT ${KEYS_AT_ONCE}
        ) RETURNING "keyId"`;
      await auditAll(
        keys.map(({ keyId }) => ({ at: now, action: "key.revoke", subjectId: keyId, actorId: viewer.id, detail: { user: viewer.username } })),
        tx,
      );
      return keys.length;
    });
    taken += some;
    if (some < KEYS_AT_ONCE) return taken;
  }
}
