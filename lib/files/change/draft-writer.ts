import { crc32 } from "node:zlib";
import { db } from "@/lib/db/client";
import { changedMeanwhile } from "../errors";
import type { IndexEntry } from "../index/entry-row";
import { insertIndex, MOST_ROWS } from "../index/write-rows";
import { PieceDeflater } from "../pieces/gzip";
import { withMask } from "../pieces/masked-crc";
import type { PieceFacts } from "../pieces/piece";
import { contentOf, type PieceContent } from "../pieces/take";
import { addPieces, type PieceToStore } from "./draft";

/** Pieces written per statement: about a megabyte. */
const PIECES_AT_ONCE = 4;

/** Pieces removed per statement: about a megabyte. */
const DROPPED_AT_ONCE = 4;

/** Writes pieces and their entries' index to a draft, in small batches. */
export class DraftWriter {
  /** The pieces written, as stored. */
  pieces: PieceFacts[] = [];
  private readonly deflater = new PieceDeflater();
  private waiting: PieceToStore[] = [];
  private index: IndexEntry[] = [];

  constructor(private readonly draft: { id: string; userId: string }) {}

  /** Adds a piece. Its text may be reused once this resolves. */
  async add(
    { id, text, entries, position }: { id: string; text: Buffer; entries: number; position: bigint },
    index: readonly IndexEntry[] = [],
  ): Promise<void> {
    const deflated = await this.deflater.deflate(text);
    const { length: plainLength } = text;
    await this.put({ id, position, entries, plainLength }, { deflated, crc: crc32(text) }, index);
  }

  /** Adds a piece with the same text as a stored one. */
  async addCopy(source: PieceFacts, id: string, position: bigint, index: readonly IndexEntry[] = []): Promise<void> {
    const content = await contentOf(this.draft.userId, source);
    // It was swept meanwhile.
    if (!content) throw changedMeanwhile();
    const { entries, plainLength } = source;
    await this.put({ id, position, entries, plainLength }, content, index);
  }

  /** Adds index entries of added pieces. */
  async addIndex(index: readonly IndexEntry[]): Promise<void> {
    for (const entry of index) this.index.push(entry);
    // Objects that wait longer survive V8's short collections and stay in memory until its next long one.
    if (this.index.length >= MOST_ROWS) await this.flush();
  }

  /** Removes added pieces that have no entries in the index. */
  async drop(ids: readonly string[]): Promise<void> {
    const dropped = new Set(ids);
    this.waiting = this.waiting.filter(({ id }) => !dropped.has(id));
    this.pieces = this.pieces.filter(({ id }) => !dropped.has(id));
    for (let from = 0; from < ids.length; from += DROPPED_AT_ONCE)
      await db.filePiece.deleteMany({
        where: { draftId: this.draft.id, id: { in: ids.slice(from, from + DROPPED_AT_ONCE) } },
      });
  }

  /** Writes everything added so far. */
  async flush(): Promise<void> {
    const pieces = this.waiting;
    this.waiting = [];
    await addPieces(this.draft.id, this.draft.userId, pieces);
    // Entries refer to their piece, which must be written first.
    const index = this.index;
    this.index = [];
    await insertIndex(index);
  }

  close(): void {
    this.deflater.close();
  }

  private async put(
    facts: Omit<PieceFacts, "deflatedLength" | "crc">,
    { deflated, crc: ofText }: PieceContent,
    index: readonly IndexEntry[],
  ): Promise<void> {
    const { crc, content } = withMask(ofText, deflated);
    const piece = { ...facts, deflatedLength: deflated.length, crc };
    this.waiting.push({ ...piece, content });
    this.pieces.push(piece);
    await this.addIndex(index);
    if (this.waiting.length >= PIECES_AT_ONCE) await this.flush();
  }
}
