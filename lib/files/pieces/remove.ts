import { db, sql } from "@/lib/db/client";
import { stepSize, turnOfOthers } from "@/lib/turn-of-others";
import { removeRows } from "./rows";

/** About a megabyte per transaction. */
const PIECES_AT_ONCE = 4;
/** Rows of the index per transaction: each is in seven indexes, and SQLite does nothing else meanwhile. */
const rows = stepSize(200, 2_000);

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

/** Removes the rows of pieces that are no longer live. */
export async function deleteIndex(pieceIds: readonly string[]): Promise<void> {
  for (const pieceId of pieceIds)
    for (let isOver = false; !isOver; )
      isOver = await rows.step(async (most) => (await sql.write((tx) => tx.write(removeRows(pieceId, most)))) < most);
}
