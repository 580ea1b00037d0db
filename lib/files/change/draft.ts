import { db, type Statements, sql } from "@/lib/db/client";
import { insert } from "@/lib/db/insert";
import { evenOnFullDisk } from "@/lib/db/reserve";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { currentUserKey } from "@/lib/sealing/user-keys";
import { draftLost } from "../errors";
import type { PieceFacts } from "../pieces/piece";
import { removePieces } from "../pieces/remove";
import { sealContent } from "../pieces/sealed";

/** A piece to be stored. */
export type PieceToStore = PieceFacts & { content: Uint8Array };

/**
 * Begins a draft: the parts of a new version before anybody can see it. Whoever begins one must publish it or give it
 * up. One that gets no additions for an hour is swept.
 */
export async function beginDraft(userId: string): Promise<string> {
  const id = newId();
  await db.fileDraft.create({ data: { id, userId, refreshedAt: new Date() } });
  return id;
}

/** Adds pieces to a draft. Throws 409 `draft_lost` if it was swept. */
export async function addPieces(draftId: string, userId: string, pieces: readonly PieceToStore[]): Promise<void> {
  if (pieces.length === 0) return;
  const rows = pieces.map(({ content: _, ...facts }) => ({ ...facts, userId, draftId }));
  // No transaction: nobody sees a draft, and an incomplete one cannot be published.
  await refreshDrafts(db, [draftId], new Date());
  await db.filePiece.createMany({ data: rows });
  const key = env.SEAL_FILES ? await currentUserKey(userId) : undefined;
  const contents = pieces.map(({ id, content }) =>
    key ? sealContent(userId, id, content, key) : { pieceId: id, deflated: content, sealedWith: null },
  );
  await sql.batch([insert("FileContent", contents)]);
}

/** Marks these drafts as still in use. Throws 409 `draft_lost` if one was swept. */
export async function refreshDrafts(statements: Statements, ids: readonly string[], now: Date): Promise<void> {
  const { count } = await statements.fileDraft.updateMany({
    where: { id: { in: [...ids] }, refreshedAt: { not: null } },
    data: { refreshedAt: now },
  });
  if (count < ids.length) throw draftLost();
}

/**
 * Gives a draft up. The sweep removes later what cannot be removed now; the caller must see why the write failed, not
 * this error.
 */
export async function giveUp(draftId: string): Promise<void> {
  try {
    await evenOnFullDisk(async () => {
      await db.fileDraft.updateMany({ where: { id: draftId }, data: { refreshedAt: null } });
      await removeDraft(draftId);
    });
  } catch (error) {
    log.warn({ err: error }, "a failed write left pieces for the sweep");
  }
}

/** Removes an abandoned draft and its pieces. Returns the number of pieces. */
export async function removeDraft(draftId: string): Promise<number> {
  const gone = await removePieces({ draftId });
  await db.fileDraft.deleteMany({ where: { id: draftId, refreshedAt: null } });
  return gone;
}
