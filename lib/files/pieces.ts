import { newId } from "@/lib/ids";
import { copyBytes } from "./copy";
import type { Place } from "./index-entry";

/** A piece is cut at the end of the entry that brings it to this many bytes … */
export const ENOUGH = 192 * 1024;
/** … and never has more than these. */
export const MOST = 256 * 1024;

/** A part of a document's JSON text: whole entries, or a part of one that is larger than a piece. */
export interface Piece {
  id: string;
  text: Buffer<ArrayBuffer>;
  /** How many entries begin in it. */
  entries: number;
}

/** A piece as it is stored. */
export interface DeflatedPiece {
  id: string;
  deflated: Buffer;
  entries: number;
  plainLength: number;
  crc: number;
}

/** Cuts the text of a document, entry after entry, into pieces. */
export class PieceCutter {
  private text = Buffer.allocUnsafeSlow(MOST);
  private length = 0;
  private entries = 0;
  /** Of the piece that is being filled, and of the first one that the current entry fills. */
  private id = newId();
  private firstId = this.id;
  /** Where in `text` the current entry begins. */
  private entryStart = 0;
  /** The pieces that the current entry has filled. */
  private filled: string[] = [];
  private pieces: Piece[] = [];
  private spare: Buffer<ArrayBuffer>[] = [];

  /** Adds the bytes `from` to `to` of `chunk` to the current entry. */
  write(chunk: Uint8Array, from: number, to: number): void {
    let next = from;
    while (next < to) {
      if (this.length === MOST) this.makeRoom();
      const taken = Math.min(to - next, MOST - this.length);
      copyBytes(chunk, next, next + taken, this.text, this.length);
      this.length += taken;
      next += taken;
    }
  }

  /** Completes the current entry and answers where it begins. */
  endEntry(): Place {
    const isLarge = this.filled.length > 0;
    const place = isLarge ? { pieceId: this.firstId, start: 0 } : { pieceId: this.id, start: this.entryStart };
    if (!isLarge) this.entries++;
    if (isLarge || this.length >= ENOUGH) this.cut(this.length);
    this.entryStart = this.length;
    this.filled = [];
    return place;
  }

  /** Forgets the current entry. Answers which pieces are nothing any more: those that it has filled. */
  dropEntry(): string[] {
    const dropped = this.filled;
    this.giveBack(this.pieces.filter(({ id }) => dropped.includes(id)));
    this.pieces = this.pieces.filter(({ id }) => !dropped.includes(id));
    this.length = this.entryStart;
    this.filled = [];
    return dropped;
  }

  /** Whether this piece can be taken, or was. */
  isComplete(pieceId: string): boolean {
    return pieceId !== this.id;
  }

  /** The pieces that are complete by now. Their memory is the caller's until it gives it back. */
  take(): Piece[] {
    const pieces = this.pieces;
    this.pieces = [];
    return pieces;
  }

  /** Memory that comes and goes in large parts is given back to the system late; so it is used again. */
  giveBack(pieces: readonly Piece[]): void {
    for (const { text } of pieces) this.spare.push(Buffer.from(text.buffer));
  }

  /** Completes the last piece. More may follow. */
  finish(): void {
    if (this.length > 0) this.cut(this.length);
    this.entryStart = 0;
  }

  /** The entries before the current one become a piece of their own; where there are none, the beginning of this one does. */
  private makeRoom(): void {
    if (this.entryStart > 0) {
      this.cut(this.entryStart);
    } else {
      if (this.filled.length === 0) {
        this.entries = 1;
        this.firstId = this.id;
      }
      this.filled.push(this.id);
      this.cut(MOST);
    }
    this.entryStart = 0;
  }

  private cut(length: number): void {
    const rest = this.text.subarray(length, this.length);
    this.pieces.push({ id: this.id, text: this.text.subarray(0, length), entries: this.entries });
    this.id = newId();
    this.text = this.spare.pop() ?? Buffer.allocUnsafeSlow(MOST);
    this.text.set(rest);
    this.length = rest.length;
    this.entries = 0;
  }
}

/** A part of an entry that has several pieces, in as many as it needs. The first three values always fit into the first. */
export function cutLarge(text: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(text.length / MOST) }, (_, n) => text.subarray(n * MOST, (n + 1) * MOST));
}
