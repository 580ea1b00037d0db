import { db, sql } from "@/lib/db/client";
import { BATCH, inBatches } from "@/lib/db/in-batches";
import { REUSE_AFTER_SECONDS, secondsAfter } from "./lifetimes";
import { forgettable } from "./rows";
import { deadAt } from "./states";

/** Longer than a code lives and its approver views the page. */
const QUESTIONS_KEPT_SECONDS = 60 * 60;

/**
 * Removes the remains of dead codes: their masks immediately, the codes after 30 days. Codes whose program still holds
 * its user's token lose only their letters. Audit events about askers and guessers without a signed-in user also go
 * after 30 days; users' decisions stay. Works in small statements, so that nobody waits. Returns how many codes were
 * removed.
 */
export async function sweepLinks(now = new Date()): Promise<number> {
  await inBatches(async () => {
    const masks = await db.linkMask.findMany({ where: { link: deadAt(now) }, select: { linkId: true }, take: BATCH });
    const { count } = await db.linkMask.deleteMany({ where: { linkId: { in: masks.map(({ linkId }) => linkId) } } });
    return count;
  });
  await inBatches(async () => {
    const questions = await db.linkQuestion.findMany({
      where: { at: { lte: secondsAfter(now, -QUESTIONS_KEPT_SECONDS) } },
      take: BATCH,
    });
    const hashes = [...new Set(questions.map(({ codeHash }) => codeHash))];
    await db.linkQuestion.deleteMany({
      where: { codeHash: { in: hashes }, at: { lte: secondsAfter(now, -QUESTIONS_KEPT_SECONDS) } },
    });
    return questions.length;
  });
  const old = secondsAfter(now, -REUSE_AFTER_SECONDS);
  const gone = await inBatches(async () => {
    const links = await sql.read(forgettable(old, BATCH));
    const { count } = await db.linkCode.deleteMany({ where: { id: { in: links.map(({ id }) => id) } } });
    return count;
  });
  await inBatches(async () => {
    const links = await db.linkCode.findMany({
      where: { createdAt: { lte: old }, codeHash: { not: null } },
      select: { id: true },
      take: BATCH,
    });
    return (
      await db.linkCode.updateMany({ where: { id: { in: links.map(({ id }) => id) } }, data: { codeHash: null } })
    ).count;
  });
  await inBatches(async () => {
    const asked = { actorId: null, action: { in: ["link.ask", "link.look", "link.contest", "link.refuse"] } };
    const oldest = await db.auditEvent.findMany({
      where: asked,
      orderBy: { id: "asc" },
      take: BATCH,
      select: { id: true, at: true },
    });
    const { count } = await db.auditEvent.deleteMany({
      where: { id: { in: oldest.filter(({ at }) => at <= old).map(({ id }) => id) } },
    });
    return count;
  });
  return gone;
}
