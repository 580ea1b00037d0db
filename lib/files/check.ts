import { db } from "@/lib/db/client";
import { turnOfOthers } from "@/lib/turn-of-others";
import { Damaged } from "./pieces/damaged";
import { END, GZIP_FRAME_BYTES, inflatePiece, withEnd } from "./pieces/gzip";
import { allPieces, outlineOf } from "./pieces/outline";
import { type PieceFacts, totalsOf } from "./pieces/piece";
import { contentOf } from "./pieces/take";

const PIECES_AT_ONCE = 4;
/** Damaged pieces that are named of one user; more would add nothing. */
const MOST_NAMED = 5;

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
  const found = [await db.fileDocument.findFirst(next), await db.filePiece.findFirst(next)];
  return found.flatMap((row) => row?.userId ?? []).sort()[0];
}

async function problemOfVersion(userId: string): Promise<string | undefined> {
  const document = await db.fileDocument.findUnique({ where: { userId } });
  if (!document) return undefined;
  const { version } = document;
  const stored = await db.fileVersion.findUnique({ where: { userId_version: { userId, version } } });
  if (!stored) return "its newest version is missing";
  const totals = totalsOf(await outlineOf(userId, version));
  const isWhole =
    totals.entries === stored.entries &&
    totals.plainLength + END.length === Number(stored.plainLength) &&
    totals.deflatedLength + GZIP_FRAME_BYTES === Number(stored.gzipLength) &&
    withEnd(totals.crc) === Number(stored.crc);
  return isWhole ? undefined : "its pieces are not those of its newest version, or are out of order";
}

async function problemOfPieces(userId: string): Promise<string | undefined> {
  const broken: string[] = [];
  for await (const pieces of allPieces(userId))
    for (let from = 0; from < pieces.length; from += PIECES_AT_ONCE) {
      const some = pieces.slice(from, from + PIECES_AT_ONCE);
      const areWhole = await Promise.all(some.map((piece) => isWhole(userId, piece)));
      for (const [n, { id }] of some.entries()) if (!areWhole[n]) broken.push(id);
      await turnOfOthers();
    }
  if (broken.length === 0) return undefined;
  const named = broken.slice(0, MOST_NAMED).join(", ");
  const others = broken.length > MOST_NAMED ? ` and ${broken.length - MOST_NAMED} others` : "";
  return `these pieces cannot be opened, or differ from what was stored: ${named}${others}`;
}

/** A piece that was swept meanwhile counts as whole. */
async function isWhole(userId: string, piece: PieceFacts): Promise<boolean> {
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
