import { newId } from "@/lib/ids";
import { pace } from "@/lib/turn-of-others";
import type { EntryFacts, EntryHead } from "../document/entry";
import { spliced } from "../document/splices";
import { indexEntry } from "../index/entry-row";
import type { IndexKeys } from "../index/keys";
import { cutLarge } from "../pieces/cutter";
import { type PieceFacts, POSITIONS_APART } from "../pieces/piece";
import type { OpenVersion } from "../pieces/take";
import { textsOfPieces } from "../pieces/texts";
import type { DraftWriter } from "./draft-writer";
import { headSplices } from "./entry-edit";
import { EntryWriter } from "./entry-writer";
import { scanEntries, scanLarge } from "./scan-pieces";

/** Selects entries, and says what changes in their heads. */
export type Select = (entries: readonly EntryHead[]) => Promise<ReadonlyMap<string, Partial<EntryHead>>>;

/** Writes entries after all others, so that they come after their folders. */
export class Appender {
  private readonly small: EntryWriter;

  /** `last`: the position of the last piece that stays. */
  constructor(
    private readonly writer: DraftWriter,
    private readonly keys: IndexKeys,
    private last: bigint,
  ) {
    this.small = new EntryWriter(writer, keys, () => this.next());
  }

  /** Adds whole entries. */
  async text(text: Buffer): Promise<void> {
    for (const entry of await scanEntries(text)) {
      this.small.cutter.write(text, entry.from, entry.to);
      this.small.found(this.small.cutter.endEntry(), entry);
      await this.small.store();
    }
  }

  /** Adds copies of those entries of these blocks that `select` selects, in the same order. */
  async copies(version: OpenVersion, blocks: readonly PieceFacts[][], select: Select): Promise<void> {
    const turn = pace();
    for (const block of blocks) {
      const [first, ...others] = block;
      if (!first) continue;
      if (others.length > 0) await this.largeCopy(version, first, others, select);
      else
        for await (const text of textsOfPieces(version, block)) {
          const entries = await scanEntries(text);
          const wanted = await select(entries);
          for (const { id, from, to, values } of entries) {
            await turn();
            const change = wanted.get(id);
            if (change) await this.text(spliced(text.subarray(from, to), from, headSplices(values, change)));
          }
        }
    }
  }

  /**
   * Adds an entry whose data is in the pieces of another draft, between `head` and `tail`. Returns how far those pieces
   * must be moved.
   */
  async around(
    head: Buffer,
    pieces: readonly PieceFacts[],
    tail: Buffer,
    facts: EntryFacts,
  ): Promise<{ by: bigint; pieces: PieceFacts[] }> {
    await this.finish();
    const id = newId();
    await this.writer.add({ id, text: head, entries: 1, position: this.next() }, [
      indexEntry(this.keys, { pieceId: id, start: 0 }, facts),
    ]);
    const by = this.last + POSITIONS_APART - (pieces[0]?.position ?? 0n);
    const moved = pieces.map((piece) => ({ ...piece, position: piece.position + by }));
    this.last = moved.at(-1)?.position ?? this.last;
    await this.writer.add({ id: newId(), text: tail, entries: 0, position: this.next() });
    return { by, pieces: moved };
  }

  /** Writes the rest. More may follow. */
  async finish(): Promise<void> {
    await this.small.finish();
  }

  private async largeCopy(
    version: OpenVersion,
    first: PieceFacts,
    others: readonly PieceFacts[],
    select: Select,
  ): Promise<void> {
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
