import type { UserKey } from "@/lib/platform/crypto/user-keys";
import { db, sql } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { turnOfOthers } from "@/lib/platform/event-loop";
import { log } from "@/lib/platform/log";
import { Damaged, END, GZIP_FRAME_BYTES, inflatePiece, withEnd } from "./pieces/gzip";
import { allPieces, outlineOf, PIECES_AT_ONCE, type PieceFacts, totalsOf } from "./pieces/piece";
import { contentsToReseal, resealContent } from "./pieces/queries";
import { contentOf, openContent, sealContent } from "./pieces/read";

/** Damaged pieces that are named of one user; more would add nothing. */
const MAX_NAMED = 5;

/** Examines what each user has stored, and yields what is damaged, in words. */
export async function* damagedDocuments(): AsyncGenerator<{ userId: string; problem: string }> {
  for (let userId = await ownerAfter(""); userId !== undefined; userId = await ownerAfter(userId)) {
    const problem = await problemOf(userId);
    if (problem) yield { userId, problem };
    await turnOfOthers();
  }
}

/**
 * Compares a user's newest version with its pieces, opens every piece, also those of former versions and drafts, and
 * verifies its CRC. Returns what is damaged, in words; undefined if nothing is.
 */
export async function problemOf(userId: string): Promise<string | undefined> {
  const problems = [await problemOfVersion(userId), await problemOfPieces(userId)].filter((one) => one !== undefined);
  return problems.length > 0 ? `${problems.join("; ")}.` : undefined;
}

/** The next user, by id, of whom there is a document or a piece. */
async function ownerAfter(after: string): Promise<string | undefined> {
  const next = { where: { userId: { gt: after } }, orderBy: { userId: "asc" }, select: { userId: true } } as const;
  const rows = [await db.fileDocument.findFirst(next), await db.filePiece.findFirst(next)];
  return rows.flatMap((row) => row?.userId ?? []).sort()[0];
}

async function problemOfVersion(userId: string): Promise<string | undefined> {
  const document = await db.fileDocument.findUnique({ where: { userId } });
  if (!document) return undefined;
  const { version } = document;
  const stored = await db.fileVersion.findUnique({ where: { userId_version: { userId, version } } });
  if (!stored) return "its newest version is missing";
  const totals = totalsOf(await outlineOf(userId, version));
  const isIntact =
    totals.entries === stored.entries &&
    totals.plainLength + END.length === Number(stored.plainLength) &&
    totals.deflatedLength + GZIP_FRAME_BYTES === Number(stored.gzipLength) &&
    withEnd(totals.crc) === Number(stored.crc);
  return isIntact ? undefined : "its pieces are not those of its newest version, or are out of order";
}

async function problemOfPieces(userId: string): Promise<string | undefined> {
  const broken: string[] = [];
  for await (const pieces of fewPieces(userId)) {
    const intact = await Promise.all(pieces.map((piece) => isIntact(userId, piece)));
    for (const [n, { id }] of pieces.entries()) if (!intact[n]) broken.push(id);
  }
  if (broken.length === 0) return undefined;
  const named = broken.slice(0, MAX_NAMED).join(", ");
  const others = broken.length > MAX_NAMED ? ` and ${broken.length - MAX_NAMED} others` : "";
  return `these pieces cannot be opened, or differ from what was stored: ${named}${others}`;
}

/** A piece that was swept meanwhile counts as intact. */
async function isIntact(userId: string, piece: PieceFacts): Promise<boolean> {
  try {
    const content = await contentOf(userId, piece);
    if (!content) return (await db.filePiece.count({ where: { id: piece.id } })) === 0;
    await inflatePiece({ ...piece, ...content });
    return true;
  } catch (error) {
    if (error instanceof Damaged) return false;
    throw error;
  }
}

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
async function* fewPieces(userId: string): AsyncGenerator<PieceFacts[]> {
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
