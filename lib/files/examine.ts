import { db } from "@/lib/platform/db/client";
import { turnOfOthers } from "@/lib/platform/event-loop";
import { Damaged, END, GZIP_FRAME_BYTES, inflatePiece, withEnd } from "./pieces/gzip";
import { outlineOf, type PieceFacts, totalsOf } from "./pieces/piece";
import { contentOf } from "./pieces/read";
import { fewPieces } from "./reseal";

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
