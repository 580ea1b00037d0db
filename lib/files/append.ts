import { newId } from "@/lib/ids";
import { type PieceFacts, POSITIONS_APART } from "./draft";
import type { DraftWriter } from "./draft-writer";
import { type EntryHead, headSplices } from "./entry-edit";
import { type EntryFacts, indexEntry } from "./index-entry";
import type { IndexKeys } from "./index-keys";
import { textsOfPieces } from "./piece-texts";
import { PieceWriter } from "./piece-writer";
import { cutLarge } from "./pieces";
import { scanEntries, scanLarge } from "./scan";
import { spliced } from "./splices";
import type { OpenVersion } from "./stored-pieces";

/** Which of these entries are wanted, and what of their heads is to change. */
export type Select = (entries: readonly EntryHead[]) => Promise<ReadonlyMap<string, Partial<EntryHead>>>;

/** Writes entries behind all others, so that they come after their folders. */
export class Appender {
  private readonly small: PieceWriter;

  /** `last`: the place of the last piece that stays. */
  constructor(
    private readonly writer: DraftWriter,
    private readonly keys: IndexKeys,
    private last: bigint,
  ) {
    this.small = new PieceWriter(writer, keys, () => this.next());
  }

  /** Adds whole entries. */
  async text(text: Buffer): Promise<void> {
    for (const entry of scanEntries(text)) {
      this.small.cutter.write(text, entry.from, entry.to);
      this.small.found(this.small.cutter.endEntry(), entry);
      await this.small.store();
    }
  }

  /** Adds copies of the entries of these blocks that `select` wants, in the same order. */
  async copies(version: OpenVersion, blocks: readonly PieceFacts[][], select: Select): Promise<void> {
    for (const block of blocks) {
      const [first, ...others] = block;
      if (!first) continue;
      if (others.length > 0) await this.largeCopy(version, first, others, select);
      else
        for await (const text of textsOfPieces(version, block)) {
          const entries = scanEntries(text);
          const wanted = await select(entries);
          for (const { id, from, to, values } of entries) {
            const change = wanted.get(id);
            if (change) await this.text(spliced(text.subarray(from, to), from, headSplices(values, change)));
          }
        }
    }
  }

  /** Adds an entry whose data is in the pieces of another draft, between `head` and `tail`. Answers how far those pieces must be moved. */
  async around(head: Buffer, pieces: readonly PieceFacts[], tail: Buffer, facts: EntryFacts): Promise<{ by: bigint; pieces: PieceFacts[] }> {
    await this.finish();
    const id = newId();
    await this.writer.add({ id, text: head, entries: 1, position: this.next() }, [indexEntry(this.keys, { pieceId: id, start: 0 }, facts)]);
    const by = this.last + POSITIONS_APART - (pieces[0]?.position ?? 0n);
    const moved = pieces.map((piece) => ({ ...piece, position: piece.position + by }));
    this.last = moved.at(-1)?.position ?? this.last;
    await this.writer.add({ id: newId(), text: tail, entries: 0, position: this.next() });
    return { by, pieces: moved };
  }

  /** Writes all that is left. More may follow. */
  async finish(): Promise<void> {
    await this.small.finish();
  }

  private async largeCopy(version: OpenVersion, first: PieceFacts, others: readonly PieceFacts[], select: Select): Promise<void> {
    const entry = await scanLarge(version, [first, ...others]);
    const change = (await select([entry])).get(entry.id);
    if (!change) return;
    await this.finish();
    for await (const text of textsOfPieces(version, [first]))
      for (const [n, part] of cutLarge(spliced(text, 0, headSplices(entry.values, change))).entries()) {
        const id = newId();
        const index = n === 0 ? [indexEntry(this.keys, { pieceId: id, start: 0 }, { ...entry, ...change })] : [];
        await this.writer.add({ id, text: part, entries: n === 0 ? 1 : 0, position: this.next() }, index);
      }
    for (const other of others) await this.writer.addCopy(other, newId(), this.next());
  }

  private next(): bigint {
    this.last += POSITIONS_APART;
    return this.last;
  }
}
