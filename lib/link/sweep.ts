import { db, sql, transaction } from "@/lib/platform/db/client";
import { BATCH, deleteInBatches, inBatches } from "@/lib/platform/db/lock";
import { CLOCKS_APART_MS, DAY_MS, later, latestNow } from "@/lib/platform/time";
import { outcomesCountedTo } from "./operator";
import { type OldLink, oldLinks, requesterEvents } from "./queries";
import { forgetSealed } from "./sealed";
import {
  APPROVE_WITHIN_SECONDS,
  APPROVED,
  COLLECT_WITHIN_SECONDS,
  deadAt,
  isUnapproved,
  PENDING,
  QUESTION_RETENTION_SECONDS,
  REUSE_AFTER_SECONDS,
  secondsAfter,
  UNAPPROVED_RETENTION_SECONDS,
} from "./states";
import { sweepUsedCodes, upsertUsedCodes } from "./used-codes";

const FIRST = { createdAt: new Date(0), id: "" };
const BEGINNING = { over: FIRST, old: FIRST, event: 0 };
/**
 * The codes of both ages and the old event that this process read last. Codes before these were approved, and are
 * not 30 days old or stay as long as their program has its user's token: they are read once a day. Events before
 * it are deleted, but for any dated by a wrong clock.
 */
let last = BEGINNING;
let begun = new Date(0);

/**
 * Removes the remains of dead codes: their masks immediately; all but their hash an hour after their end, if nobody
 * approved them, and once their hour is counted; all others after 30 days. Codes whose program still holds its user's
 * token then lose only their hash. Audit events about requesters and guessers without a signed-in user are also deleted
 * after 30 days; users' decisions stay. Works in small statements, so that nobody waits. (Dropping
 * a day's partition instead would save little, and codes unique in all of 30 days could not be.) Returns how many
 * codes were removed.
 */
export async function sweepLinks(now = new Date()): Promise<number> {
  await deleteInBatches((tx, limit) => tx.linkMask.deleteMany({ where: { link: deadAt(now) }, limit }));
  await inBatches(async () => {
    const questions = await db.linkQuestion.findMany({
      where: { at: { lte: secondsAfter(now, -QUESTION_RETENTION_SECONDS) } },
      take: BATCH,
    });
    const hashes = [...new Set(questions.map(({ codeHash }) => codeHash))];
    await db.linkQuestion.deleteMany({
      where: { codeHash: { in: hashes }, at: { lte: secondsAfter(now, -QUESTION_RETENTION_SECONDS) } },
    });
    return questions.length;
  });
  await endAhead(now);
  const old = secondsAfter(now, -REUSE_AFTER_SECONDS);
  const ended = secondsAfter(now, -APPROVE_WITHIN_SECONDS - UNAPPROVED_RETENTION_SECONDS);
  const over = new Date(Math.min(ended.getTime(), outcomesCountedTo(now).getTime() - 1));
  if (Math.abs(now.getTime() - begun.getTime()) >= DAY_MS || last.old.createdAt > old || last.over.createdAt > over)
    [last, begun] = [BEGINNING, now];
  const count = (await eachUntil(over, "over", deleteUnapproved)) + (await eachUntil(old, "old", deleteOld));
  await sweepUsedCodes(now);
  await deleteRequesterEvents(old);
  return count;
}

/**
 * Ends the codes from before the clock was set back for good: otherwise they would live again once their time comes for
 * the second time.
 */
async function endAhead(now: Date): Promise<void> {
  const ahead = { createdAt: { gt: latestNow(now) } };
  await db.linkCode.updateMany({ where: { ...ahead, ...PENDING, expiresAt: { gt: now } }, data: { expiresAt: now } });
  await db.linkCode.updateMany({ where: { ...ahead, ...APPROVED, collectBy: { gt: now } }, data: { collectBy: now } });
}

/** Goes through the codes up to this age that were not read yet. Returns how many were removed. */
async function eachUntil(before: Date, age: "over" | "old", remove: typeof deleteOld): Promise<number> {
  let count = 0;
  await inBatches(async () => {
    const links = await sql.read(oldLinks(last[age], before, BATCH));
    if (links.length > 0) count += await remove(links);
    last = { ...last, [age]: links.at(-1) ?? last[age] };
    return links.length;
  });
  return count;
}

/** Recorded as used first: at no time could they be issued again. */
async function deleteUnapproved(links: OldLink[]): Promise<number> {
  const over = links.filter(isUnapproved);
  const used = over.flatMap(({ codeHash, createdAt }) => (codeHash === null ? [] : [{ codeHash, at: createdAt }]));
  if (used.length > 0) await sql.batch([upsertUsedCodes(used)]);
  return deleteAll(over);
}

async function deleteOld(links: OldLink[]): Promise<number> {
  const withHash = links.filter(({ holderId, codeHash }) => holderId !== null && codeHash !== null);
  if (withHash.length > 0)
    await db.linkCode.updateMany({ where: { id: { in: withHash.map(({ id }) => id) } }, data: { codeHash: null } });
  return deleteAll(links.filter(({ holderId }) => holderId === null));
}

const deleteAll = async (links: OldLink[]): Promise<number> =>
  (await db.linkCode.deleteMany({ where: { id: { in: links.map(({ id }) => id) } } })).count;

async function deleteRequesterEvents(old: Date): Promise<void> {
  await inBatches(async () => {
    const events = await sql.read(requesterEvents(last.event, BATCH));
    const due = events.filter(({ at }) => at <= old).map(({ id }) => id);
    const { count } = await db.auditEvent.deleteMany({ where: { id: { in: due } } });
    last = { ...last, event: due.at(-1) ?? last.event };
    return count;
  });
}

/**
 * Until a link ends that was approved on another machine. What is sealed for longer is from before the clock was set
 * back.
 */
const MAX_SEALED_MS = COLLECT_WITHIN_SECONDS * 1_000 + CLOCKS_APART_MS;

/**
 * Deletes the sealed form of tokens that were collected a minute ago, and tokens that nobody collected, in small
 * statements. Returns how many tokens were deleted.
 */
export async function sweepSealed(now = new Date()): Promise<number> {
  const sealed = { OR: [{ sealedUntil: { lte: now } }, { sealedUntil: { gt: later(now, MAX_SEALED_MS) } }] };
  let deleted = 0;
  await inBatches(async () => {
    const tokens = await db.accessToken.findMany({ where: sealed, select: { id: true }, take: BATCH });
    const ids = tokens.map(({ id }) => id);
    deleted += await transaction(async (tx) => {
      const { count } = await tx.accessToken.deleteMany({ where: { id: { in: ids }, startsAt: null } });
      await forgetSealed(ids, tx);
      return count;
    });
    return ids.length;
  });
  return deleted;
}
