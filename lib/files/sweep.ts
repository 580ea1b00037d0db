import { db } from "@/lib/db/client";
import { turnOfOthers } from "@/lib/turn-of-others";
import { LONGEST_DOWNLOAD_MS } from "./stored-pieces";

/** A draft that was not added to for this long has no writer any more. */
const DRAFT_PATIENCE_MS = 60 * 60 * 1000;
/** Of one sweep; more wait for the next. */
const DRAFTS_AT_ONCE = 10_000;
/** Between opening a document and taking its first piece. */
const MARGIN_MS = 10 * 60 * 1000;
/** A megabyte, and some thousands of index entries, in one transaction. */
const PIECES_AT_ONCE = 4;

/** Removes what no reader can need any more, a few MB at a time: drafts whose writer died, and versions that were replaced longer ago than a download may take. Answers how many pieces went. */
export async function sweepFiles(now: Date = new Date()): Promise<number> {
  let gone = 0;
  const abandonedBefore = new Date(now.getTime() - DRAFT_PATIENCE_MS);
  await db.fileDraft.updateMany({ where: { refreshedAt: { lt: abandonedBefore } }, data: { refreshedAt: null } });
  for (const { id } of await db.fileDraft.findMany({ where: { refreshedAt: null }, select: { id: true }, take: DRAFTS_AT_ONCE })) gone += await removeDraft(id);

  // A version that has been the newest for so long has outlived all readers of those before it.
  const outlivedBefore = new Date(now.getTime() - LONGEST_DOWNLOAD_MS - MARGIN_MS);
  const outlived = await db.fileVersion.groupBy({
    by: ["userId"],
    where: { publishedAt: { lt: outlivedBefore } },
    _max: { version: true },
    having: { version: { _count: { gt: 1 } } },
  });
  for (const { userId, _max } of outlived) if (_max.version !== null) gone += await removeVersionsBefore(userId, _max.version);
  return gone;
}

/** Removes a draft that was given up, with its pieces. Answers how many those were. */
export async function removeDraft(draftId: string): Promise<number> {
  const gone = await removePieces({ draftId });
  await db.fileDraft.deleteMany({ where: { id: draftId, refreshedAt: null } });
  return gone;
}

/**
 * Removes all that a user has stored, a little at a time, so that others are not kept waiting: nobody can read it any more, and
 * whoever is reading is cut off. For an account that nobody can use any more. May be repeated, and by two at once.
 */
export async function deleteFiles(userId: string): Promise<void> {
  await db.fileDocument.deleteMany({ where: { userId } });
  await removePieces({ userId });
  await db.fileDraft.deleteMany({ where: { userId } });
}

/** Removes what only versions before this one use. Answers how many pieces went. */
export async function removeVersionsBefore(userId: string, version: number): Promise<number> {
  const gone = await removePieces({ userId, retiredVersion: { lte: version } });
  await db.fileVersion.deleteMany({ where: { userId, version: { lt: version } } });
  return gone;
}

/** Removes these pieces, a megabyte at a time. Answers how many they were. */
export async function removePieces(
  where: { draftId: string; position?: { gte: bigint } } | { userId: string; retiredVersion?: { lte: number } },
): Promise<number> {
  for (let gone = 0; ; ) {
    const pieces = await db.filePiece.findMany({ where, select: { id: true }, take: PIECES_AT_ONCE });
    if (pieces.length === 0) return gone;
    gone += (await db.filePiece.deleteMany({ where: { id: { in: pieces.map(({ id }) => id) } } })).count;
    await turnOfOthers();
  }
}
