import { db } from "@/lib/db/client";
import { turnOfOthers } from "@/lib/turn-of-others";
import { PIECE_FACTS, type PieceFacts } from "./piece";
import { ofVersion } from "./rows";

const LISTED_AT_ONCE = 2_000;

/** All pieces of a version, in order, without their text. */
export async function outlineOf(userId: string, version: number): Promise<PieceFacts[]> {
  const pieces: PieceFacts[] = [];
  for (let after = -1n; ; after = pieces.at(-1)?.position ?? after) {
    const listed = await db.filePiece.findMany({
      where: { userId, position: { gt: after }, ...ofVersion(version) },
      orderBy: { position: "asc" },
      take: LISTED_AT_ONCE,
      select: PIECE_FACTS,
    });
    pieces.push(...listed);
    if (listed.length < LISTED_AT_ONCE) return pieces;
  }
}

/** A piece, and from which version on it is part of the document, to before which. */
export type KeptPiece = PieceFacts & { bornVersion: number; retiredVersion: number | null };

/** The pieces of all kept versions, in order. Versions that are neighbours share most of them. */
export async function keptPieces(userId: string): Promise<KeptPiece[]> {
  const pieces: KeptPiece[] = [];
  for await (const listed of allPieces(userId, { bornVersion: { not: null } }))
    for (const piece of listed) pieces.push({ ...piece, bornVersion: piece.bornVersion ?? 0 });
  return pieces;
}

/** All pieces of a user, also those of drafts, by position, some at a time. */
export async function* allPieces(userId: string, where: { bornVersion?: { not: null } } = {}) {
  // The last piece may be swept meanwhile, so it is not needed to find the next one.
  for (let [position, id] = [-1n, ""]; ; ) {
    const listed = await db.filePiece.findMany({
      where: {
        userId,
        ...where,
        position: { gte: position },
        OR: [{ position: { gt: position } }, { id: { gt: id } }],
      },
      orderBy: [{ position: "asc" }, { id: "asc" }],
      take: LISTED_AT_ONCE,
      select: { ...PIECE_FACTS, bornVersion: true, retiredVersion: true },
    });
    yield listed;
    const last = listed.at(-1);
    if (!last || listed.length < LISTED_AT_ONCE) return;
    ({ position, id } = last);
    await turnOfOthers();
  }
}

/** Of these, the ones of one version. */
export function piecesOf(version: number, kept: readonly KeptPiece[]): KeptPiece[] {
  return kept.filter(
    ({ bornVersion, retiredVersion }) =>
      bornVersion <= version && (retiredVersion === null || retiredVersion > version),
  );
}

/** All pieces of a draft, as `outlineOf` those of a version. */
export function outlineOfDraft(draftId: string): Promise<PieceFacts[]> {
  return db.filePiece.findMany({ where: { draftId }, orderBy: { position: "asc" }, select: PIECE_FACTS });
}

/** The groups of pieces that contain whole entries: one piece of small entries, or all pieces of a large one. */
export function blocksOf<Piece extends PieceFacts>(pieces: readonly Piece[]): Piece[][] {
  const blocks: Piece[][] = [];
  for (const piece of pieces) {
    const block = blocks.at(-1);
    if (piece.entries === 0 && block) block.push(piece);
    else blocks.push([piece]);
  }
  return blocks;
}
