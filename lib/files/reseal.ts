import type { UserKey } from "@/lib/platform/crypto/user-keys";
import { sql } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { turnOfOthers } from "@/lib/platform/event-loop";
import { log } from "@/lib/platform/log";
import { Damaged } from "./pieces/gzip";
import { allPieces, PIECES_AT_ONCE, type PieceFacts } from "./pieces/piece";
import { contentsToReseal, resealContent } from "./pieces/queries";
import { openContent, sealContent } from "./pieces/seal";

/**
 * Seals all pieces of a user, also those of former versions and of drafts, with the key `current`: those in the clear,
 * and those sealed with a former one. They are read, written and removed meanwhile as ever. What others add at the same
 * time, another process may seal with a former key: call it again later. A piece that is damaged stays as it is, and is
 * logged; so does one in the clear, without SEAL_FILES. Returns how many were sealed.
 */
export async function resealFiles(userId: string, current: UserKey): Promise<number> {
  let resealed = 0;
  for await (const pieces of fewPieces(userId)) resealed += await resealPieces(userId, pieces, current);
  return resealed;
}

/** All pieces of a user, a few at a time. Others get their turn in between. */
export async function* fewPieces(userId: string): AsyncGenerator<PieceFacts[]> {
  for await (const pieces of allPieces(userId))
    for (let from = 0; from < pieces.length; from += PIECES_AT_ONCE) {
      yield pieces.slice(from, from + PIECES_AT_ONCE);
      await turnOfOthers();
    }
}

async function resealPieces(userId: string, pieces: readonly PieceFacts[], current: UserKey): Promise<number> {
  const ids = pieces.map(({ id }) => id);
  const changes: ReturnType<typeof resealContent>[] = [];
  for (const row of await sql.read(contentsToReseal(ids, current.number))) {
    if (row.sealedWith === null && !env.SEAL_FILES) continue;
    try {
      const deflated = await openContent(userId, row);
      changes.push(resealContent(sealContent(userId, { pieceId: row.pieceId, deflated }, current), row.sealedWith));
    } catch (error) {
      if (!(error instanceof Damaged)) throw error;
      log.error({ err: error, userId }, "a piece of a document could not be sealed with the newest key");
    }
  }
  if (changes.length === 0) return 0;
  return sql.write(async (tx) => {
    let resealed = 0;
    for (const change of changes) resealed += await tx.write(change);
    return resealed;
  });
}
