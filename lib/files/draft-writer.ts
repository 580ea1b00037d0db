import { crc32 } from "node:zlib";
import { bytesStatement, db, Prisma } from "@/lib/db/client";
import { addPieces, type PieceFacts, type PlacedPiece, refreshDrafts } from "./draft";
import { changedMeanwhile } from "./errors";
import { PieceDeflater } from "./gzip";
import type { IndexEntry } from "./index-entry";
import { insertIndex, ROWS_AT_ONCE } from "./index-rows";

/** How many pieces are written in one statement: about a megabyte. */
const PIECES_AT_ONCE = 4;

/** How many pieces are removed in one statement: about a megabyte. */
const DROPPED_AT_ONCE = 4;

/** Writes pieces and their entries' index to a draft, a few at a time. */
export class DraftWriter {
  /** What was written, as it is stored. */
  pieces: PieceFacts[] = [];
  private readonly deflater = new PieceDeflater();
  private waiting: PlacedPiece[] = [];
  private index: IndexEntry[] = [];

  constructor(private readonly draft: { id: string; userId: string }) {}

  /** Adds a piece. Its text may be used again when this is answered. */
  async add(
    { id, text, entries, position }: { id: string; text: Buffer; entries: number; position: bigint },
    index: readonly IndexEntry[] = [],
  ): Promise<void> {
    const deflated = await this.deflater.deflate(text);
    const piece = { id, position, deflated, entries, plainLength: text.length, crc: crc32(text) };
    this.waiting.push(piece);
    this.pieces.push({ id, position, entries, plainLength: text.length, deflatedLength: deflated.length, crc: BigInt(piece.crc) });
    await this.addIndex(index);
    if (this.waiting.length >= PIECES_AT_ONCE) await this.flush();
  }

  /** Adds a piece with the same text as one that is stored. */
  async addCopy(source: PieceFacts, id: string, position: bigint, index: readonly IndexEntry[] = []): Promise<void> {
    await this.flush();
    const piece = { ...source, id, position };
    const { entries, plainLength, deflatedLength, crc } = piece;
    const { userId, id: draftId } = this.draft;
    await refreshDrafts(db, [draftId], new Date());
    await db.filePiece.create({ data: { id, userId, draftId, position, entries, plainLength, deflatedLength, crc } });
    const copied = await bytesStatement(Prisma.sql`
      INSERT INTO "FileContent" ("pieceId", "deflated") SELECT ${id}, "deflated" FROM "FileContent" WHERE "pieceId" = ${source.id} RETURNING "pieceId"`);
    // It was swept meanwhile.
    if (copied.length === 0) throw changedMeanwhile();
    this.pieces.push(piece);
    await this.addIndex(index);
  }

  /** Adds entries of pieces that were added. */
  async addIndex(index: readonly IndexEntry[]): Promise<void> {
    for (const entry of index) this.index.push(entry);
    // What waits for longer outlives the engine's short collections, and is in memory until its next long one.
    if (this.index.length >= ROWS_AT_ONCE) await this.flush();
  }

  /** Takes pieces back that have no entries in the index. */
  async drop(ids: readonly string[]): Promise<void> {
    const dropped = new Set(ids);
    this.waiting = this.waiting.filter(({ id }) => !dropped.has(id));
    this.pieces = this.pieces.filter(({ id }) => !dropped.has(id));
    for (let from = 0; from < ids.length; from += DROPPED_AT_ONCE)
      await db.filePiece.deleteMany({ where: { draftId: this.draft.id, id: { in: ids.slice(from, from + DROPPED_AT_ONCE) } } });
  }

  /** Writes all that was added. */
  async flush(): Promise<void> {
    const pieces = this.waiting;
    this.waiting = [];
    await addPieces(this.draft.id, this.draft.userId, pieces);
    // Entries refer to their piece, which must be there first.
    const index = this.index;
    this.index = [];
    await insertIndex(index);
  }

  close(): void {
    this.deflater.close();
  }
}
