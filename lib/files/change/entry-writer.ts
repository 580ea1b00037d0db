import type { EntryFacts } from "../document/entry";
import { type IndexEntry, indexEntry } from "../index/entry-row";
import type { IndexKeys } from "../index/keys";
import { PieceCutter } from "../pieces/cutter";
import type { EntryPlace } from "../pieces/piece";
import type { DraftWriter } from "./draft-writer";

/** Passes the pieces from a cutter to a draft, with their entries' index. Holds the text of a few of them. */
export class EntryWriter {
  readonly cutter = new PieceCutter();
  private index: IndexEntry[] = [];
  private dropped: string[] = [];

  /** `position` returns the next piece's position. */
  constructor(
    private readonly writer: DraftWriter,
    private readonly keys: IndexKeys,
    private readonly position: () => bigint,
  ) {}

  /** Adds an entry to the index. */
  found(place: EntryPlace, facts: EntryFacts): void {
    this.index.push(indexEntry(this.keys, place, facts));
  }

  /** Discards the entry being written. */
  dropEntry(): void {
    this.dropped.push(...this.cutter.dropEntry());
  }

  /** Passes on the complete pieces. */
  async store(): Promise<void> {
    if (this.dropped.length > 0) await this.writer.drop(this.dropped.splice(0));
    const pieces = this.cutter.take();
    if (pieces.length === 0) return;
    for (const piece of pieces) await this.writer.add({ ...piece, position: this.position() });
    this.cutter.giveBack(pieces);
    const incomplete = this.index.findIndex(({ pieceId }) => !this.cutter.isComplete(pieceId));
    await this.writer.addIndex(this.index.splice(0, incomplete < 0 ? this.index.length : incomplete));
  }

  /** Completes the last piece and passes it on. More may follow. */
  async finish(): Promise<void> {
    this.cutter.finish();
    await this.store();
  }
}
