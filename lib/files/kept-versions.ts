import { db, type Statements, sql } from "@/lib/db/client";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import type { PieceFacts } from "./draft";
import { removeVersionsBefore } from "./sweep";

/** Of a user's versions: each has a row, however little it changed. */
const MOST_VERSIONS = 1_000;
/** What the rows of a piece take beside its text. */
const BESIDE_BYTES = 512;

/** What these pieces take while they are kept for who reads an older version. */
export function retiredBytes(pieces: Iterable<Pick<PieceFacts, "plainLength">>): number {
  let bytes = 0;
  for (const { plainLength } of pieces) bytes += plainLength + BESIDE_BYTES;
  return bytes;
}

/** The same of all pieces that the user's document has now. */
export async function retiredBytesOfAll(tx: Statements, userId: string): Promise<number> {
  const current = { userId, bornVersion: { not: null }, retiredVersion: null };
  const { _sum, _count } = await tx.filePiece.aggregate({ where: current, _sum: { plainLength: true }, _count: true });
  return (_sum.plainLength ?? 0) + _count * BESIDE_BYTES;
}

/** Bytes of what a user's document had before, kept for downloads that are under way and for taking a deletion back. */
export async function keptBytes(userId: string): Promise<number> {
  // What the oldest one did without, nobody reads.
  const [kept] = await sql.$queryRaw<{ bytes: number | bigint | null }[]>`
    SELECT CAST(SUM("retiredBytes") AS BIGINT) AS "bytes" FROM "FileVersion"
    WHERE "userId" = ${userId} AND "version" > (SELECT MIN("version") FROM "FileVersion" WHERE "userId" = ${userId})`;
  return Number(kept?.bytes ?? 0);
}

/**
 * Removes the oldest versions of a user's document where all that is kept of them is more than the document itself may take, or
 * they are too many. Whoever is reading one of them is cut. Does not throw: what it leaves, the next write or the sweep removes.
 */
export async function trimVersions(userId: string): Promise<void> {
  try {
    let kept = 0;
    let oldest: number | undefined;
    for (const { version, retiredBytes } of await newestVersions(userId)) {
      if (oldest !== undefined && kept > env.FILE_BYTES_PER_USER) break;
      oldest = version;
      kept += Number(retiredBytes);
    }
    if (oldest === undefined) return;
    const before = await db.fileVersion.findFirst({ where: { userId, version: { lt: oldest } }, select: { version: true } });
    if (before) await removeVersionsBefore(userId, oldest);
  } catch (error) {
    log.warn({ err: error, userId }, "old versions of files could not be removed now; the next write or sweep removes them");
  }
}

function newestVersions(userId: string) {
  return db.fileVersion.findMany({ where: { userId }, orderBy: { version: "desc" }, take: MOST_VERSIONS, select: { version: true, retiredBytes: true } });
}
