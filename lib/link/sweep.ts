import { db, sql } from "@/lib/db/client";
import { BATCH, inBatches } from "@/lib/db/in-batches";
import { DAY_MS } from "@/lib/hours";
import { REUSE_AFTER_SECONDS, secondsAfter } from "./lifetimes";
import { askersEvents, oldLinks } from "./rows";
import { deadAt } from "./states";

/** Longer than a code lives and its approver views the page. */
const QUESTIONS_KEPT_SECONDS = 60 * 60;

const BEGINNING = { link: { createdAt: new Date(0), id: "" }, event: 0 };
/**
 * The old code and the old event that this process looked at last. Codes before it stay as long as their program has
 * its user's token, so they are looked at once a day. Events before it are gone, but for any dated by a wrong clock.
 */
let last = BEGINNING;
let begun = new Date(0);

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
  if (Math.abs(now.getTime() - begun.getTime()) >= DAY_MS || last.link.createdAt > old)
    [last, begun] = [BEGINNING, now];
  const gone = await forgetLinks(old);
  await forgetAskers(old);
  return gone;
}

/** Removes codes of this age, or only their letters. Returns how many codes were removed. */
async function forgetLinks(old: Date): Promise<number> {
  let gone = 0;
  await inBatches(async () => {
    const links = await sql.read(oldLinks(last.link, old, BATCH));
    const ids = (which: (link: (typeof links)[number]) => boolean) => ({ in: links.filter(which).map(({ id }) => id) });
    const lettered = ids(({ holderId, codeHash }) => holderId !== null && codeHash !== null);
    gone += (await db.linkCode.deleteMany({ where: { id: ids(({ holderId }) => holderId === null) } })).count;
    if (lettered.in.length > 0) await db.linkCode.updateMany({ where: { id: lettered }, data: { codeHash: null } });
    last = { ...last, link: links.at(-1) ?? last.link };
    return links.length;
  });
  return gone;
}

async function forgetAskers(old: Date): Promise<void> {
  await inBatches(async () => {
    const events = await sql.read(askersEvents(last.event, BATCH));
    const due = events.filter(({ at }) => at <= old).map(({ id }) => id);
    const { count } = await db.auditEvent.deleteMany({ where: { id: { in: due } } });
    last = { ...last, event: due.at(-1) ?? last.event };
    return count;
  });
}
