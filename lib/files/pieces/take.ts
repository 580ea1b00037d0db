import { sql } from "@/lib/db/client";
import { LONGEST_DOWNLOAD_MS } from "@/lib/stated-bounds";
import { pace } from "@/lib/turn-of-others";
import { Damaged } from "./damaged";
import { withoutMask } from "./masked-crc";
import type { PieceFacts } from "./piece";
import { contents, piecesBetween } from "./rows";
import { openContent, type StoredContent } from "./sealed";

/** Pieces listed at a time … */
export const LISTED_AT_ONCE = 500;
/** … and of how many pieces, or bytes, the contents are read at a time. */
const TAKEN_AT_ONCE = 8;
const BYTES_AT_ONCE = 512 * 1024;
/** SQLite runs within the turn of the event loop: after this time, a fast client's download yields to others. */
const LONGEST_TURN_MS = 1;

/** No piece has this position. */
const BEHIND_ALL = 2n ** 63n - 1n;

/** One version of a user's document. It can be read for `LONGEST_DOWNLOAD_MS`, regardless of concurrent writes. */
export interface OpenVersion {
  userId: string;
  version: number;
  openedAt: number;
}

/** A piece's position in a version of a document. */
export type StoredPiece = Omit<PieceFacts, "entries">;

/** `offset`: where its text begins in the document's. */
type ListedPiece = StoredPiece & { offset: number };
/** `crc`: the CRC-32 of its text. */
export type TakenPiece = Omit<ListedPiece, "crc"> & PieceContent;

export interface PieceContent {
  deflated: Uint8Array;
  crc: number;
}

/** The pieces of a version after the position `after`, some hundreds at a time, with their offsets from there. */
export async function* listings(version: OpenVersion, after = -1n, before?: bigint): AsyncGenerator<ListedPiece[]> {
  let offset = 0;
  let last = after;
  for (;;) {
    const pieces = await listPieces(version, last, before);
    const listed = pieces.map((piece) => {
      const begin = offset;
      offset += piece.plainLength;
      return { ...piece, offset: begin };
    });
    last = pieces.at(-1)?.position ?? last;
    yield listed;
    if (pieces.length < LISTED_AT_ONCE) return;
  }
}

/** How many of these pieces are read at a time. */
function takeable(pieces: readonly ListedPiece[]): number {
  let bytes = 0;
  for (const [index, { deflatedLength }] of pieces.entries()) {
    bytes += deflatedLength;
    if (index === TAKEN_AT_ONCE || (index > 0 && bytes > BYTES_AT_ONCE)) return index;
  }
  return pieces.length;
}

async function listPieces(
  { userId, version }: OpenVersion,
  after: bigint,
  before = BEHIND_ALL,
): Promise<StoredPiece[]> {
  const rows = await sql.read(piecesBetween({ userId, version }, { after, before, limit: LISTED_AT_ONCE }));
  return rows.map((row) => ({ ...row, position: BigInt(row.position), crc: BigInt(row.crc) }));
}

/** These pieces with their contents, in small batches. */
export async function* takePieces(version: OpenVersion, pieces: ListedPiece[]): AsyncGenerator<TakenPiece[]> {
  const left = [...pieces];
  const turn = pace(LONGEST_TURN_MS);
  while (left.length > 0) {
    await turn();
    yield await contentsOf(version, left.splice(0, takeable(left)));
  }
}

async function contentsOf(document: OpenVersion, pieces: ListedPiece[]): Promise<TakenPiece[]> {
  if (performance.now() - document.openedAt > LONGEST_DOWNLOAD_MS)
    throw new Error("The download took longer than it may.");
  const rows = await sql.read(contents(pieces.map(({ id }) => id)));
  const byId = new Map(rows.map((row) => [row.pieceId, row]));
  const taken: TakenPiece[] = [];
  for (const piece of pieces) {
    const row = byId.get(piece.id);
    if (!row) throw new Damaged(piece.id);
    taken.push({ ...piece, ...(await opened(document.userId, piece, row)) });
  }
  return taken;
}

/** The content of one piece of any version. Undefined if it is gone, with that version. */
export async function contentOf(userId: string, piece: StoredPiece): Promise<PieceContent | undefined> {
  const [row] = await sql.read(contents([piece.id]));
  return row && opened(userId, piece, row);
}

async function opened(userId: string, piece: StoredPiece, row: StoredContent): Promise<PieceContent> {
  const content = withoutMask(piece, await openContent(userId, row));
  if (!content) throw new Damaged(piece.id);
  return content;
}
