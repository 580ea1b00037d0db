import { sql } from "@/lib/db/client";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import type { UserKey } from "@/lib/sealing/user-keys";
import { turnOfOthers } from "@/lib/turn-of-others";
import { Damaged } from "./pieces/damaged";
import { allPieces } from "./pieces/outline";
import { contentsToReseal, resealContent } from "./pieces/rows";
import { openContent, sealContent } from "./pieces/sealed";

/** About a megabyte per transaction. */
const PIECES_AT_ONCE = 4;

/**
 * Seals all pieces of a user, also those of former versions and of drafts, with the key `current`: those in the clear,
 * and those sealed with a former one. They are read, written and removed meanwhile as ever. What others add at the same
 * time, another process may seal with a former key: call it again later. A piece that is damaged stays as it is, and is
 * logged; so does one in the clear, without SEAL_FILES. Returns how many were sealed.
 */
export async function resealFiles(userId: string, current: UserKey): Promise<number> {
  let resealed = 0;
  for await (const pieces of allPieces(userId))
    for (let from = 0; from < pieces.length; from += PIECES_AT_ONCE) {
      const ids = pieces.slice(from, from + PIECES_AT_ONCE).map(({ id }) => id);
      resealed += await resealPieces(userId, ids, current);
      await turnOfOthers();
    }
  return resealed;
}

async function resealPieces(userId: string, ids: readonly string[], current: UserKey): Promise<number> {
  const changes: ReturnType<typeof resealContent>[] = [];
  for (const row of await sql.read(contentsToReseal(ids, current.number))) {
    if (row.sealedWith === null && !env.SEAL_FILES) continue;
    try {
      const deflated = await openContent(userId, row);
      changes.push(resealContent(sealContent(userId, row.pieceId, deflated, current), row.sealedWith));
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
