import { newId } from "@/lib/ids";
import type { IndexEntry } from "../index/entry-row";
import { entriesOfPiece } from "../index/find-rows";
import { type PieceFacts, POSITIONS_APART } from "../pieces/piece";
import type { DraftWriter } from "./draft-writer";

/** A new piece, with the index of the entries that begin in it. */
export interface NewPiece {
  id: string;
  text: Buffer;
  entries: number;
  index: IndexEntry[];
}

/** The successor of a piece: others in its place, last one first; or the piece itself. */
export type Successor = { text: NewPiece } | { copy: PieceFacts; id: string; index: IndexEntry[] };

/** Assigns positions to new pieces, in place of those that they come from. */
export class Placer {
  /** Pieces that are no longer part of the document. */
  readonly retired = new Set<string>();
  /** Pieces still to be placed because there was no room before the next piece, and from which position on. */
  private carried: Successor[] = [];
  private start = 0n;

  constructor(private readonly writer: DraftWriter) {}

  /** Whether pieces wait for room after the next piece. */
  get isCarrying(): boolean {
    return this.carried.length > 0;
  }

  /**
   * Places the successors of `piece` between it and `next`. Without successors the piece stays, unless pieces were
   * carried up to it.
   */
  async place(
    piece: PieceFacts,
    successors: readonly Successor[] | undefined,
    next: PieceFacts | undefined,
  ): Promise<void> {
    if (!successors && this.carried.length === 0) return;
    if (this.carried.length === 0) this.start = piece.position;
    this.carried.push(...(successors ?? [await this.copyOf(piece)]));
    this.retired.add(piece.id);
    const room = next ? next.position - this.start : POSITIONS_APART * BigInt(this.carried.length + 1);
    if (BigInt(this.carried.length) > room) return;
    const step = room / BigInt(this.carried.length || 1);
    for (const [at, successor] of this.carried.entries()) await this.write(successor, this.start + step * BigInt(at));
    this.carried = [];
  }

  private async copyOf(piece: PieceFacts): Promise<Successor> {
    const id = newId();
    const rows = await entriesOfPiece(piece.id);
    return { copy: piece, id, index: rows.map((row) => ({ ...row, pieceId: id })) };
  }

  private write(successor: Successor, position: bigint): Promise<void> {
    const { writer } = this;
    if ("copy" in successor) return writer.addCopy(successor.copy, successor.id, position, successor.index);
    return writer.add({ ...successor.text, position }, successor.text.index);
  }
}
