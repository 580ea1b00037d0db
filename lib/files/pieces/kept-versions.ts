import { db, type Statements, sql } from "@/lib/db/client";
import { log } from "@/lib/log";
import { findQuotas } from "@/lib/quotas";
import type { PieceFacts } from "./piece";
import { removeVersionsBefore } from "./remove";
import { LIVE, retiredBytesKept } from "./rows";

/** Versions kept per user: each has a row, however little it changed. */
const MOST_VERSIONS = 1_000;
/** Size of a piece's rows in addition to its text. */
const BESIDE_BYTES = 512;

/** The size of these pieces while kept for readers of an older version. */
export function retiredBytes(pieces: Iterable<Pick<PieceFacts, "plainLength">>): number {
  let bytes = 0;
  for (const { plainLength } of pieces) bytes += plainLength + BESIDE_BYTES;
  return bytes;
}

/** The same for all pieces of the user's current document. */
export async function retiredBytesOfAll(tx: Statements, userId: string): Promise<number> {
  const where = { userId, ...LIVE };
  const { _sum, _count } = await tx.filePiece.aggregate({ where, _sum: { plainLength: true }, _count: true });
  return (_sum.plainLength ?? 0) + _count * BESIDE_BYTES;
}

/** Bytes of former contents of a user's document, kept for running downloads and for undoing deletions. */
export async function keptBytes(userId: string): Promise<number> {
  const [kept] = await sql.read(retiredBytesKept(userId));
  return kept?.bytes ?? 0;
}

/**
 * Removes the oldest versions of a user's document if all kept versions exceed the size limit of the document itself,
 * or there are too many. Readers of a removed version are cut off. Does not throw: the next write or the sweep removes
 * what remains.
 */
export async function trimVersions(userId: string): Promise<void> {
  try {
    const { fileBytes } = await findQuotas(userId);
    let kept = 0;
    let oldest: number | undefined;
    for (const { version, retiredBytes } of await newestVersions(userId)) {
      if (oldest !== undefined && kept > fileBytes) break;
      oldest = version;
      kept += Number(retiredBytes);
    }
    if (oldest === undefined) return;
    const before = await db.fileVersion.findFirst({
      where: { userId, version: { lt: oldest } },
      select: { version: true },
    });
    if (before) await removeVersionsBefore(userId, oldest);
  } catch (error) {
    log.warn(
      { err: error, userId },
      "old versions of files could not be removed now; the next write or sweep removes them",
    );
  }
}

function newestVersions(userId: string) {
  return db.fileVersion.findMany({
    where: { userId },
    orderBy: { version: "desc" },
    take: MOST_VERSIONS,
    select: { version: true, retiredBytes: true },
  });
}
