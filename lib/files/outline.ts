import { db } from "@/lib/db/client";
import type { PieceFacts } from "./draft";
import { piecesOf } from "./stored-pieces";

const LISTED_AT_ONCE = 2_000;

/** All pieces of a version, in order, without their text. */
export async function outlineOf(userId: string, version: number): Promise<PieceFacts[]> {
  const pieces: PieceFacts[] = [];
  for (let after = -1n; ; after = pieces.at(-1)?.position ?? after) {
    const listed = await db.filePiece.findMany({
      where: { userId, position: { gt: after }, ...piecesOf(version) },
      orderBy: { position: "asc" },
      take: LISTED_AT_ONCE,
      select: { id: true, position: true, entries: true, plainLength: true, deflatedLength: true, crc: true },
    });
    pieces.push(...listed);
    if (listed.length < LISTED_AT_ONCE) return pieces;
  }
}

/** The pieces that hold whole entries together: one with small entries, or all of a large one. */
export function blocksOf(pieces: readonly PieceFacts[]): PieceFacts[][] {
  const blocks: PieceFacts[][] = [];
  for (const piece of pieces) {
    const block = blocks.at(-1);
    if (piece.entries === 0 && block) block.push(piece);
    else blocks.push([piece]);
  }
  return blocks;
}
