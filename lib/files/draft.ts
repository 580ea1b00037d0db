import { randomBytes } from "node:crypto";
import { bytesStatement, db, Prisma, transaction } from "@/lib/db/client";
import { newId } from "@/lib/ids";
import { combineCrc } from "./crc";
import { draftLost } from "./errors";
import { END, END_CRC, GZIP_FRAME_BYTES } from "./gzip";
import type { DeflatedPiece } from "./pieces";

/** How far apart the places of a new document's pieces are: room for forty halvings, and for 2^22 pieces. */
const POSITIONS_APART = 2n ** 40n;

/** What is written of a new version before anybody can see it. */
export interface Draft {
  id: string;
  userId: string;
  pieces: number;
  entries: number;
  /** Bytes of the pieces, and the CRC-32 of their text. */
  plainLength: number;
  deflatedLength: number;
  crc: number;
}

/** Begins a draft. Whoever begins one must publish or discard it; one that is not added to for an hour is swept. */
export async function beginDraft(userId: string): Promise<Draft> {
  const draft = { id: newId(), userId, pieces: 0, entries: 0, plainLength: 0, deflatedLength: 0, crc: 0 };
  await db.fileDraft.create({ data: { id: draft.id, userId, refreshedAt: new Date() } });
  return draft;
}

/** Adds `pieces` behind those that the draft has. Throws 409 `draft_lost` where it was swept. */
export async function addPieces(draft: Draft, pieces: readonly DeflatedPiece[]): Promise<void> {
  const rows = pieces.map(({ deflated, entries, plainLength, crc }, index) => ({
    id: newId(),
    userId: draft.userId,
    draftId: draft.id,
    position: BigInt(draft.pieces + index + 1) * POSITIONS_APART,
    entries,
    plainLength,
    deflatedLength: deflated.length,
    crc: BigInt(crc),
  }));
  // No transaction: nobody sees a draft, and what one lacks keeps it from being published.
  const { count } = await db.fileDraft.updateMany({ where: { id: draft.id, refreshedAt: { not: null } }, data: { refreshedAt: new Date() } });
  if (count === 0) throw draftLost();
  await db.filePiece.createMany({ data: rows });
  const contents = pieces.map(({ deflated }, index) => Prisma.sql`(${rows[index]?.id}, ${deflated})`);
  await bytesStatement(Prisma.sql`INSERT INTO "FileContent" ("pieceId", "deflated") VALUES ${Prisma.join(contents)}`);
  for (const { deflated, entries, plainLength, crc } of pieces) {
    draft.pieces++;
    draft.entries += entries;
    draft.plainLength += plainLength;
    draft.deflatedLength += deflated.length;
    draft.crc = combineCrc(draft.crc, crc, plainLength);
  }
}

/**
 * Makes the draft the user's whole document. Readers see the old document or the new one; those who are reading go on
 * with the old one. Throws 409 `draft_lost` where the draft was swept.
 */
export async function publishDraft(draft: Draft, now: Date): Promise<void> {
  const { userId } = draft;
  await transaction(async (tx) => {
    const { count } = await tx.fileDraft.updateMany({ where: { id: draft.id, refreshedAt: { not: null } }, data: { refreshedAt: now } });
    if (count === 0) throw draftLost();
    const { version } = await tx.fileDocument.upsert({
      where: { userId },
      create: { userId, version: 1 },
      update: { version: { increment: 1 } },
      select: { version: true },
    });
    await tx.filePiece.updateMany({ where: { userId, bornVersion: { not: null }, retiredVersion: null }, data: { retiredVersion: version } });
    await tx.filePiece.updateMany({ where: { draftId: draft.id }, data: { bornVersion: version, draftId: null } });
    await tx.fileVersion.create({
      data: {
        userId,
        version,
        publishedAt: now,
        entries: draft.entries,
        plainLength: BigInt(draft.plainLength + END.length),
        gzipLength: BigInt(draft.deflatedLength + GZIP_FRAME_BYTES),
        crc: BigInt(combineCrc(draft.crc, END_CRC, END.length)),
        etag: randomBytes(12).toString("base64url"),
      },
    });
    await tx.fileDraft.delete({ where: { id: draft.id } });
  });
}

/** Gives the draft up. The sweep removes its pieces. */
export async function discardDraft(id: string): Promise<void> {
  await db.fileDraft.updateMany({ where: { id }, data: { refreshedAt: null } });
}
