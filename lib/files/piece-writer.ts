import type { DraftWriter } from "./draft-writer";
import { type EntryFacts, type IndexEntry, indexEntry, type Place } from "./index-entry";
import type { IndexKeys } from "./index-keys";
import { PieceCutter } from "./pieces";

/** Hands the pieces that a cutter cuts on to a draft, with their entries' index. Holds the text of a few of them. */
export class PieceWriter {
  readonly cutter = new PieceCutter();
  private index: IndexEntry[] = [];
  private dropped: string[] = [];

  /** `position` answers the next piece's. */
  constructor(
    private readonly writer: DraftWriter,
    private readonly keys: IndexKeys,
    private readonly position: () => bigint,
  ) {}

  /** Adds an entry to the index. */
  found(place: Place, facts: EntryFacts): void {
    this.index.push(indexEntry(this.keys, place, facts));
  }

  /** Forgets the entry that is being written. */
  dropEntry(): void {
    this.dropped.push(...this.cutter.dropEntry());
  }

  /** Hands on what is complete. */
  async store(): Promise<void> {
    if (this.dropped.length > 0) await this.writer.drop(this.dropped.splice(0));
    const pieces = this.cutter.take();
    if (pieces.length === 0) return;
    for (const piece of pieces) await this.writer.add({ ...piece, position: this.position() });
    this.cutter.giveBack(pieces);
    const incomplete = this.index.findIndex(({ pieceId }) => !this.cutter.isComplete(pieceId));
    await this.writer.addIndex(this.index.splice(0, incomplete < 0 ? this.index.length : incomplete));
  }

  /** Completes the last piece and hands it on. More may follow. */
  async finish(): Promise<void> {
    this.cutter.finish();
    await this.store();
  }
}
