import { randomBytes } from "node:crypto";
import { bytesStatement, db, Prisma, type Statements, transaction } from "@/lib/db/client";
import { isUniqueViolation } from "@/lib/db/errors";
import { newId } from "@/lib/ids";
import { combineCrc } from "./crc";
import { changedMeanwhile, draftLost } from "./errors";
import { END, END_CRC, GZIP_FRAME_BYTES } from "./gzip";
import { retiredBytes, retiredBytesOfAll } from "./kept-versions";
import type { DeflatedPiece } from "./pieces";

/** How far apart the places of new pieces are: room for others between two, and for 2^43 pieces one after another, which is more than a document lives to see. */
export const POSITIONS_APART = 2n ** 20n;
/** Of ids in one statement. */
const MOST_AT_ONCE = 1_000;

export type PlacedPiece = DeflatedPiece & { position: bigint };

/** What a version is made of, without the end of its text. */
export interface Totals {
  entries: number;
  /** Bytes of the pieces, and the CRC-32 of their text. */
  plainLength: number;
  deflatedLength: number;
  crc: number;
}

/** A stored piece, but for its text. */
export interface PieceFacts {
  id: string;
  position: bigint;
  entries: number;
  plainLength: number;
  deflatedLength: number;
  crc: bigint;
}

/** What these pieces make together, in this order. */
export function totalsOf(pieces: Iterable<PieceFacts>): Totals {
  const totals = { entries: 0, plainLength: 0, deflatedLength: 0, crc: 0 };
  for (const { entries, plainLength, deflatedLength, crc } of pieces) {
    totals.entries += entries;
    totals.plainLength += plainLength;
    totals.deflatedLength += deflatedLength;
    totals.crc = combineCrc(totals.crc, Number(crc), plainLength);
  }
  return totals;
}

/** Begins a draft: what is written of a new version before anybody can see it. Whoever begins one must publish or discard it; one that is not added to for an hour is swept. */
export async function beginDraft(userId: string): Promise<string> {
  const id = newId();
  await db.fileDraft.create({ data: { id, userId, refreshedAt: new Date() } });
  return id;
}

/** Adds pieces to a draft. Throws 409 `draft_lost` where it was swept. */
export async function addPieces(draftId: string, userId: string, pieces: readonly PlacedPiece[]): Promise<void> {
  if (pieces.length === 0) return;
  const rows = pieces.map(({ id, position, deflated, entries, plainLength, crc }) => ({
    id,
    userId,
    draftId,
    position,
    entries,
    plainLength,
    deflatedLength: deflated.length,
    crc: BigInt(crc),
  }));
  // No transaction: nobody sees a draft, and what one lacks keeps it from being published.
  await refreshDrafts(db, [draftId], new Date());
  await db.filePiece.createMany({ data: rows });
  const contents = pieces.map(({ id, deflated }) => Prisma.sql`(${id}, ${deflated})`);
  await bytesStatement(Prisma.sql`INSERT INTO "FileContent" ("pieceId", "deflated") VALUES ${Prisma.join(contents)}`);
}

/** Says that somebody still writes these drafts. Throws 409 `draft_lost` where one was swept. */
export async function refreshDrafts(statements: Statements, ids: readonly string[], now: Date): Promise<void> {
  const { count } = await statements.fileDraft.updateMany({ where: { id: { in: [...ids] }, refreshedAt: { not: null } }, data: { refreshedAt: now } });
  if (count < ids.length) throw draftLost();
}

/** A version that is to be published. */
export interface NewVersion {
  userId: string;
  /** Of these, the pieces become part of it. */
  drafts: readonly string[];
  totals: Totals;
  /** All that was there before; or the version that the new one was made from, and which of its pieces are no longer part of it. */
  replaces: "all" | { version: number; pieces: readonly PieceFacts[] };
  indexSpace: string;
}

/**
 * Makes drafts a part of the user's document. Readers see the old document or the new one; those who are reading go on
 * with the old one. Answers the new version's number. Throws 409 `draft_lost` where a draft was swept, and 409
 * `changed_meanwhile` where it was made from a version that is no longer the newest.
 */
export function publishVersion({ userId, drafts, totals, replaces, indexSpace }: NewVersion, now: Date): Promise<number> {
  return transaction(async (tx) => {
    await refreshDrafts(tx, drafts, now);
    const version = replaces === "all" ? await nextVersion(tx, userId, indexSpace) : await versionAfter(tx, userId, replaces.version, indexSpace);
    const current = { userId, bornVersion: { not: null }, retiredVersion: null };
    const retired = replaces === "all" ? await retiredBytesOfAll(tx, userId) : retiredBytes(replaces.pieces);
    if (replaces === "all") await tx.filePiece.updateMany({ where: current, data: { retiredVersion: version } });
    else
      for (let from = 0; from < replaces.pieces.length; from += MOST_AT_ONCE)
        await tx.filePiece.updateMany({
          where: { ...current, id: { in: replaces.pieces.slice(from, from + MOST_AT_ONCE).map(({ id }) => id) } },
          data: { retiredVersion: version },
        });
    await tx.filePiece.updateMany({ where: { draftId: { in: [...drafts] } }, data: { bornVersion: version, draftId: null } });
    await tx.fileVersion.create({
      data: {
        userId,
        version,
        publishedAt: now,
        entries: totals.entries,
        plainLength: BigInt(totals.plainLength + END.length),
        gzipLength: BigInt(totals.deflatedLength + GZIP_FRAME_BYTES),
        crc: BigInt(combineCrc(totals.crc, END_CRC, END.length)),
        etag: randomBytes(12).toString("base64url"),
        retiredBytes: BigInt(retired),
      },
    });
    await tx.fileDraft.deleteMany({ where: { id: { in: [...drafts] } } });
    return version;
  });
}

async function nextVersion(tx: Statements, userId: string, indexSpace: string): Promise<number> {
  const { version } = await tx.fileDocument.upsert({
    where: { userId },
    create: { userId, version: 1, indexSpace },
    update: { version: { increment: 1 }, indexSpace },
    select: { version: true },
  });
  return version;
}

async function versionAfter(tx: Statements, userId: string, version: number, indexSpace: string): Promise<number> {
  try {
    if (version === 0) await tx.fileDocument.create({ data: { userId, version: 1, indexSpace } });
    else if ((await tx.fileDocument.updateMany({ where: { userId, version }, data: { version: version + 1 } })).count === 0) throw changedMeanwhile();
  } catch (error) {
    throw isUniqueViolation(error) ? changedMeanwhile() : error;
  }
  return version + 1;
}

/** Gives the draft up. The sweep removes its pieces. */
export async function discardDraft(id: string): Promise<void> {
  await db.fileDraft.updateMany({ where: { id }, data: { refreshedAt: null } });
}
