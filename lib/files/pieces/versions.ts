import { db, type Statements, sql } from "@/lib/platform/db/client";
import { stepSize, turnOfOthers } from "@/lib/platform/event-loop";
import { findQuotas } from "@/lib/platform/limits/quotas";
import { log } from "@/lib/platform/log";
import { combineCrc, Damaged, END, withEnd } from "./gzip";
import { combinable, PIECES_AT_ONCE, type PieceFacts } from "./piece";
import { LIVE, newestVersion, removeRows } from "./queries";
import {
  LISTED_AT_ONCE,
  type LoadedPiece,
  listings,
  loadPieces,
  type OpenVersion,
  type PieceText,
  textsOf,
} from "./read";

/** A version with the facts that its readers need before the first byte. */
export interface StoredDocument extends OpenVersion {
  publishedAt: Date;
  entries: number;
  /** Bytes of the JSON text and of its gzip form. */
  plainLength: number;
  gzipLength: number;
  /** Combined from the stored CRCs of its pieces. */
  crc: number;
  /** Identifies this version, without quotes. */
  etag: string;
}

/** The published version of the document; undefined if nothing was stored yet. */
export async function publishedVersion(userId: string): Promise<StoredDocument | undefined> {
  const [published] = await sql.readQuickly(newestVersion(userId));
  return published && { ...published, userId, openedAt: performance.now() };
}

/** The texts of the pieces that contain the document's bytes `first` to `last`, in order, and where each begins. */
export function pieceTexts(
  document: StoredDocument,
  first = 0,
  last = document.plainLength - 1,
): AsyncGenerator<PieceText> {
  return textsOf(piecesInRange(document, first, last));
}

/**
 * The pieces that contain the bytes `first` to `last` of the text, in order, in small batches. No statement stays open
 * between two of them.
 */
export async function* piecesInRange(
  document: StoredDocument,
  first: number,
  last: number,
): AsyncGenerator<LoadedPiece[]> {
  let [end, crc] = [0, 0];
  for await (const listed of listings(document)) {
    for (const piece of listed) {
      end = piece.offset + piece.plainLength;
      crc = combineCrc(crc, combinable(piece.crc), piece.plainLength);
    }
    // Each piece may be intact, and there may yet be too few, too many or another order.
    if (listed.length < LISTED_AT_ONCE && (end + END.length !== document.plainLength || withEnd(crc) !== document.crc))
      throw new Damaged();
    yield* loadPieces(
      document,
      listed.filter(({ offset, plainLength }) => offset <= last && offset + plainLength > first),
    );
    if (end > last) return;
  }
}

/** Versions stored per user: each has a row, however little it changed. */
const MAX_VERSIONS = 1_000;
/** Size of a piece's rows in addition to its text. */
const BESIDE_BYTES = 512;

/** The size of these pieces while stored for readers of an older version. */
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

/**
 * Removes the oldest versions of a user's document if all stored versions exceed the size limit of the document itself,
 * or there are too many. Readers of a removed version are cut off. Does not throw: the next write or the sweep removes
 * what remains.
 */
export async function trimVersions(userId: string): Promise<void> {
  try {
    const { fileBytes } = await findQuotas(userId);
    let retiredSum = 0;
    let oldest: number | undefined;
    const newest = await db.fileVersion.findMany({
      where: { userId },
      orderBy: { version: "desc" },
      take: MAX_VERSIONS,
      select: { version: true, retiredBytes: true },
    });
    for (const { version, retiredBytes } of newest) {
      if (oldest !== undefined && retiredSum > fileBytes) break;
      oldest = version;
      retiredSum += Number(retiredBytes);
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

/** Rows of the index per transaction: each is in seven indexes, and SQLite does nothing else meanwhile. */
const rows = stepSize(200, 2_000);

/** Removes what only versions before this one use. Returns the number of removed pieces. */
export async function removeVersionsBefore(userId: string, version: number): Promise<number> {
  const removed = await removePieces({ userId, retiredVersion: { lte: version } });
  await db.fileVersion.deleteMany({ where: { userId, version: { lt: version } } });
  return removed;
}

/** Removes these pieces, a megabyte at a time. Returns their number. */
export async function removePieces(
  where: { draftId: string; position?: { gte: bigint } } | { userId: string; retiredVersion?: { lte: number } },
): Promise<number> {
  for (let removed = 0; ; ) {
    const pieces = await db.filePiece.findMany({ where, select: { id: true }, take: PIECES_AT_ONCE });
    if (pieces.length === 0) return removed;
    const ids = pieces.map(({ id }) => id);
    await deleteIndex(ids);
    removed += (await db.filePiece.deleteMany({ where: { id: { in: ids } } })).count;
    await turnOfOthers();
  }
}

/** Removes the rows of pieces that are no longer live. */
export async function deleteIndex(pieceIds: readonly string[]): Promise<void> {
  for (const pieceId of pieceIds)
    for (let isOver = false; !isOver; )
      isOver = await rows.step(
        async (limit) => (await sql.write((tx) => tx.write(removeRows(pieceId, limit)))) < limit,
      );
}
