import { db } from "@/lib/db/client";
import { turnOfOthers } from "@/lib/turn-of-others";
import { deleteIndex } from "../index/write-rows";

/** About a megabyte per transaction. */
const PIECES_AT_ONCE = 4;

/** Removes what only versions before this one use. Returns the number of removed pieces. */
export async function removeVersionsBefore(userId: string, version: number): Promise<number> {
  const gone = await removePieces({ userId, retiredVersion: { lte: version } });
  await db.fileVersion.deleteMany({ where: { userId, version: { lt: version } } });
  return gone;
}

/** Removes these pieces, a megabyte at a time. Returns their number. */
export async function removePieces(
  where: { draftId: string; position?: { gte: bigint } } | { userId: string; retiredVersion?: { lte: number } },
): Promise<number> {
  for (let gone = 0; ; ) {
    const pieces = await db.filePiece.findMany({ where, select: { id: true }, take: PIECES_AT_ONCE });
    if (pieces.length === 0) return gone;
    const ids = pieces.map(({ id }) => id);
    await deleteIndex(ids);
    gone += (await db.filePiece.deleteMany({ where: { id: { in: ids } } })).count;
    await turnOfOthers();
  }
}
