import { crc32 } from "node:zlib";
import { addPieces, NOTHING, type PlacedPiece, plusPiece } from "./draft";
import { PieceDeflater } from "./gzip";
import { type EntryFacts, type IndexEntry, indexEntry, type Place } from "./index-entry";
import type { IndexKeys } from "./index-keys";
import { insertIndex } from "./index-rows";
import { type Piece, PieceCutter } from "./pieces";

/** How many pieces are written in one statement: about a megabyte. */
const PIECES_AT_ONCE = 4;

/** Writes the pieces that a cutter cuts to a draft, with their entries' index. Holds a few of them in memory. */
export class PieceWriter {
  readonly cutter = new PieceCutter();
  totals = NOTHING;
  private readonly deflater = new PieceDeflater();
  private readonly waiting: Piece[] = [];
  private readonly index: IndexEntry[] = [];

  /** `position` answers the next piece's. */
  constructor(
    private readonly draft: { id: string; userId: string },
    private readonly keys: IndexKeys,
    private readonly position: () => bigint,
  ) {}

  /** Adds an entry to the index. */
  found(place: Place, facts: EntryFacts): void {
    this.index.push(indexEntry(this.keys, place, facts));
  }

  /** Writes what is complete, where that is enough for a statement. */
  async store(): Promise<void> {
    await this.flush(PIECES_AT_ONCE);
  }

  /** Completes the last piece and writes all that is left. */
  async finish(): Promise<void> {
    this.cutter.finish();
    await this.flush(1);
  }

  close(): void {
    this.deflater.close();
  }

  private async flush(least: number): Promise<void> {
    this.waiting.push(...this.cutter.take());
    while (this.waiting.length >= least && this.waiting.length > 0) {
      const pieces = this.waiting.splice(0, PIECES_AT_ONCE);
      const placed: PlacedPiece[] = [];
      for (const piece of pieces) placed.push(await this.deflated(piece));
      await addPieces(this.draft.id, this.draft.userId, placed);
      this.cutter.giveBack(pieces);
    }
    // Entries refer to their piece, which must be there first.
    const waiting = new Set(this.waiting.map(({ id }) => id));
    const ready = this.index.findIndex(({ pieceId }) => waiting.has(pieceId) || !this.cutter.isComplete(pieceId));
    await insertIndex(this.index.splice(0, ready < 0 ? this.index.length : ready));
  }

  private async deflated({ id, text, entries }: Piece): Promise<PlacedPiece> {
    const deflated = await this.deflater.deflate(text);
    const piece = { id, position: this.position(), deflated, entries, plainLength: text.length, crc: crc32(text) };
    this.totals = plusPiece(this.totals, { ...piece, deflatedLength: deflated.length });
    return piece;
  }
}
