import { newId } from "@/lib/platform/ids";
import { copyBytes } from "../document/content";
import type { EntryPointer } from "./piece";

/** A piece is cut at the end of the entry that brings it to this many bytes … */
export const ENOUGH = 192 * 1024;
/** … and is never larger than this. */
export const MAX = 256 * 1024;

/** A part of a document's JSON text: complete entries, or a part of an entry larger than a piece. */
export interface Piece {
  id: string;
  text: Buffer<ArrayBuffer>;
  /** How many entries begin in it. */
  entries: number;
}

/** Cuts the text of a document, entry after entry, into pieces. */
export class PieceCutter {
  private text = Buffer.allocUnsafeSlow(MAX);
  private length = 0;
  private entries = 0;
  /** The id of the piece being filled, and of the first one that the current entry fills. */
  private id = newId();
  private firstId = this.id;
  /** Where in `text` the current entry begins. */
  private entryStart = 0;
  /** The pieces filled by the current entry. */
  private filled: string[] = [];
  private pieces: Piece[] = [];
  private spare: Buffer<ArrayBuffer>[] = [];

  /** Adds the bytes `from` to `to` of `chunk` to the current entry. */
  write(chunk: Uint8Array, from: number, to: number): void {
    let next = from;
    while (next < to) {
      if (this.length === MAX) this.makeSpace();
      const length = Math.min(to - next, MAX - this.length);
      copyBytes(chunk, next, next + length, this.text, this.length);
      this.length += length;
      next += length;
    }
  }

  /** Completes the current entry and returns where it begins. */
  endEntry(): EntryPointer {
    const isLarge = this.filled.length > 0;
    const pointer = isLarge ? { pieceId: this.firstId, start: 0 } : { pieceId: this.id, start: this.entryStart };
    if (!isLarge) this.entries++;
    if (isLarge || this.length >= ENOUGH) this.cut(this.length);
    this.entryStart = this.length;
    this.filled = [];
    return pointer;
  }

  /** Discards the current entry. Returns the pieces that become invalid: those it has filled. */
  dropEntry(): string[] {
    const dropped = this.filled;
    this.recycle(this.pieces.filter(({ id }) => dropped.includes(id)));
    this.pieces = this.pieces.filter(({ id }) => !dropped.includes(id));
    this.length = this.entryStart;
    this.filled = [];
    return dropped;
  }

  /** Whether this piece can be collected, or has been. */
  isComplete(pieceId: string): boolean {
    return pieceId !== this.id;
  }

  /** The complete pieces. Their memory is the caller's until recycled. */
  collect(): Piece[] {
    const pieces = this.pieces;
    this.pieces = [];
    return pieces;
  }

  /** The system reclaims large blocks of memory late, so they are reused. */
  recycle(pieces: readonly Piece[]): void {
    for (const { text } of pieces) this.spare.push(Buffer.from(text.buffer));
  }

  /** Completes the last piece. More may follow. */
  finish(): void {
    if (this.length > 0) this.cut(this.length);
    this.entryStart = 0;
  }

  /** The entries before the current one become a piece; without any, the beginning of this one does. */
  private makeSpace(): void {
    if (this.entryStart > 0) {
      this.cut(this.entryStart);
    } else {
      if (this.filled.length === 0) {
        this.entries = 1;
        this.firstId = this.id;
      }
      this.filled.push(this.id);
      this.cut(MAX);
    }
    this.entryStart = 0;
  }

  private cut(length: number): void {
    const rest = this.text.subarray(length, this.length);
    this.pieces.push({ id: this.id, text: this.text.subarray(0, length), entries: this.entries });
    this.id = newId();
    this.text = this.spare.pop() ?? Buffer.allocUnsafeSlow(MAX);
    this.text.set(rest);
    this.length = rest.length;
    this.entries = 0;
  }
}

/** Cuts a part of an entry that spans several pieces. The first three values always fit into the first piece. */
export function cutLarge(text: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(text.length / MAX) }, (_, n) => text.subarray(n * MAX, (n + 1) * MAX));
}
