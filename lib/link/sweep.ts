import { db } from "@/lib/db/client";
import { BATCH, inBatches } from "@/lib/db/in-batches";
import { deadAt, REUSE_AFTER_SECONDS, secondsAfter } from "./lifetimes";

/** Longer than a code lives and its approver looks at the page. */
const QUESTIONS_KEPT_SECONDS = 60 * 60;

/**
 * Removes what dead codes leave behind: their masks at once, and after 30 days the codes themselves. Of codes whose program
 * still holds its user's token only the letters go. What the audit trail says of askers and guessers that nobody was signed in
 * for goes after 30 days too; what users decided stays. Works in small statements, so that nobody waits. Answers how many codes
 * went.
 */
export async function sweepLinks(now = new Date()): Promise<number> {
  await inBatches(async () => {
    const masks = await db.linkMask.findMany({ where: { link: deadAt(now) }, select: { mask: true }, take: BATCH });
    const { count } = await db.linkMask.deleteMany({ where: { mask: { in: masks.map(({ mask }) => mask) } } });
    return count;
  });
  await inBatches(async () => {
    const questions = await db.linkQuestion.findMany({ where: { at: { lte: secondsAfter(now, -QUESTIONS_KEPT_SECONDS) } }, take: BATCH });
    const hashes = [...new Set(questions.map(({ codeHash }) => codeHash))];
    await db.linkQuestion.deleteMany({ where: { codeHash: { in: hashes }, at: { lte: secondsAfter(now, -QUESTIONS_KEPT_SECONDS) } } });
    return questions.length;
  });
  const old = secondsAfter(now, -REUSE_AFTER_SECONDS);
  const gone = await inBatches(async () => {
    const links = await db.$queryRaw<{ id: string }[]>`
      SELECT "id" FROM "LinkCode" WHERE "createdAt" <= ${old} AND ("status" <> 'collected'
        OR NOT EXISTS (SELECT 1 FROM "User" WHERE "User"."tokenHash" = "LinkCode"."tokenHash")) LIMIT ${BATCH}`;
    const { count } = await db.linkCode.deleteMany({ where: { id: { in: links.map(({ id }) => id) } } });
    return count;
  });
  await inBatches(async () => {
    const links = await db.linkCode.findMany({ where: { createdAt: { lte: old }, codeHash: { not: null } }, select: { id: true }, take: BATCH });
    return (await db.linkCode.updateMany({ where: { id: { in: links.map(({ id }) => id) } }, data: { codeHash: null } })).count;
  });
  await inBatches(async () => {
    const asked = { actorId: null, action: { in: ["link.ask", "link.look", "link.contest", "link.refuse"] } };
    const oldest = await db.auditEvent.findMany({ where: asked, orderBy: { id: "asc" }, take: BATCH, select: { id: true, at: true } });
    const { count } = await db.auditEvent.deleteMany({ where: { id: { in: oldest.filter(({ at }) => at <= old).map(({ id }) => id) } } });
    return count;
  });
  return gone;
}
