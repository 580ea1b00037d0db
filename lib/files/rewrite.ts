import { newId } from "@/lib/ids";
import { pace } from "@/lib/turn-of-others";
import { type PieceFacts, POSITIONS_APART } from "./draft";
import type { DraftWriter } from "./draft-writer";
import { type DocumentEdit, headSplices, listChangeOf, listSplices } from "./entry-edit";
import { EntryScanner, type ScannedEntry } from "./entry-scanner";
import { type IndexEntry, indexEntry } from "./index-entry";
import type { IndexKeys } from "./index-keys";
import { entriesOfPiece } from "./index-rows";
import { textsOfPieces } from "./piece-texts";
import { cutLarge, ENOUGH, MOST, PieceCutter } from "./pieces";
import { scanEntries, scanLarge, textOfPiece } from "./scan";
import { type Splice, spliced } from "./splices";
import type { OpenVersion } from "./stored-pieces";

/** A piece that is to be, with the index of the entries that begin in it. */
interface NewPiece {
  id: string;
  text: Buffer;
  entries: number;
  index: IndexEntry[];
}

/** What becomes of a piece: others in its place, the last one first come; or itself. */
type Successor = { text: NewPiece } | { copy: PieceFacts; id: string; index: IndexEntry[] };

export interface Rewriting {
  version: OpenVersion;
  keys: IndexKeys;
  writer: DraftWriter;
  edit: DocumentEdit;
}

/** Makes new pieces for those that an edit changes, in their places. */
export class Rewriter {
  /** Pieces that are no longer part of the document. */
  readonly retired = new Set<string>();
  /** The text of the last piece, where that was kept back. */
  keptBack: Buffer | undefined;
  /** What is still to be placed, because there was no room before the next piece, and from where on. */
  private carried: Successor[] = [];
  private start = 0n;

  constructor(private readonly rewriting: Rewriting) {}

  /**
   * Rewrites the blocks in which one of the pieces `touched` is. `keepBack`: the last piece, if it is small and holds whole
   * entries, is not written but kept for what follows it.
   */
  async run(blocks: readonly PieceFacts[][], touched: ReadonlySet<string>, keepBack: boolean): Promise<void> {
    const pieces = blocks.flat();
    const turn = pace();
    let n = 0;
    for (const [index, block] of blocks.entries()) {
      await turn();
      const [first] = block;
      const isTouched = block.some(({ id }) => touched.has(id));
      const isLast = keepBack && index === blocks.length - 1 && block.length === 1;
      if (isLast && first && (isTouched || first.plainLength < ENOUGH)) {
        const text = await textOfPiece(this.rewriting.version, first);
        this.keptBack = isTouched ? this.edited(text) : text;
        this.retired.add(first.id);
        await this.place(first, [], undefined);
      } else if (isTouched || this.carried.length > 0) {
        const successors = isTouched ? await (block.length === 1 ? this.rewriteSmall(block) : this.rewriteLarge(block)) : new Map<string, Successor[]>();
        for (const [at, piece] of block.entries()) await this.place(piece, successors.get(piece.id), pieces[n + at + 1]);
      }
      n += block.length;
    }
  }

  /** The text of whole entries after the edit. */
  private edited(text: Buffer): Buffer {
    const splices: Splice[] = [];
    for (const entry of scanEntries(text, this.rewriting.edit.lists)) {
      const edit = this.rewriting.edit.edit(entry);
      if (edit === "remove") splices.push({ from: entry.from, to: entry.to, text: "" });
      else splices.push(...headSplices(entry.values, edit), ...this.listSplicesOf(entry));
    }
    return spliced(text, 0, splices);
  }

  private async rewriteSmall(block: readonly PieceFacts[]): Promise<Map<string, Successor[]>> {
    const [piece] = block;
    if (!piece) return new Map();
    const text = await textOfPiece(this.rewriting.version, piece);
    const edited = this.edited(text);
    return edited === text ? new Map() : new Map([[piece.id, this.cut(edited).map((text) => ({ text }))]]);
  }

  /** The pieces for a text of whole entries: one, or several where it is too long for that. */
  private cut(text: Buffer): NewPiece[] {
    if (text.length === 0) return [];
    const entries = scanEntries(text);
    const { keys } = this.rewriting;
    if (text.length <= MOST) {
      const id = newId();
      return [{ id, text, entries: entries.length, index: entries.map((entry) => indexEntry(keys, { pieceId: id, start: entry.from }, entry)) }];
    }
    const cutter = new PieceCutter();
    const index: IndexEntry[] = [];
    for (const entry of entries) {
      cutter.write(text, entry.from, entry.to);
      index.push(indexEntry(keys, cutter.endEntry(), entry));
    }
    cutter.finish();
    return cutter.take().map((piece) => ({ ...piece, index: index.filter(({ pieceId }) => pieceId === piece.id) }));
  }

  /** Only what changes is rewritten of a large entry, but always its first piece: its index entry refers to that one. */
  private async rewriteLarge(block: readonly PieceFacts[]): Promise<Map<string, Successor[]>> {
    const { version, edit, keys } = this.rewriting;
    const [first] = block;
    const [row] = first ? await entriesOfPiece(first.id) : [];
    if (!first || !row) throw new Error("A large entry of a document has no index.");
    const begin = await textOfPiece(version, first);
    const head = new EntryScanner({ entry() {} });
    head.push(begin);
    const { type, name, location } = head.parts;
    const id = row.entryId;
    const wanted = edit.edit({ id, type, name, location });
    const isListed = listChangeOf(edit.lists, { type, name, location }) !== undefined;
    if (wanted === "remove") return new Map(block.map((piece) => [piece.id, []]));
    if (!wanted && !isListed) return new Map();

    const splices = headSplices(head.values, wanted);
    const facts = { ...row, id, type, name, location, ...wanted, edited: String(row.edited) };
    if (isListed) {
      const entry = await scanLarge(version, block, edit.lists);
      splices.push(...listSplices(entry.values, entry.listSplices, entry.size, edit.now));
      Object.assign(facts, { size: entry.size, edited: String(edit.now.getTime()) });
    }
    const successors = new Map<string, Successor[]>();
    let offset = 0;
    let n = 0;
    for await (const text of textsOfPieces(version, block)) {
      const piece = block[n++];
      const changed = spliced(text, offset, splices);
      offset += text.length;
      if (!piece || (changed === text && piece !== first)) continue;
      const parts = cutLarge(changed).map((text, at) => ({ id: newId(), text, entries: piece === first && at === 0 ? 1 : 0, index: [] as IndexEntry[] }));
      if (piece === first) for (const part of parts.slice(0, 1)) part.index.push(indexEntry(keys, { pieceId: part.id, start: 0 }, facts));
      successors.set(
        piece.id,
        parts.map((text) => ({ text })),
      );
    }
    return successors;
  }

  private listSplicesOf(entry: ScannedEntry): Splice[] {
    const { lists, now } = this.rewriting.edit;
    return listChangeOf(lists, entry) ? listSplices(entry.values, entry.listSplices, entry.size, now) : [];
  }

  /** Puts what becomes of `piece` between it and `next`; without successors it stays, where nothing was carried up to it. */
  private async place(piece: PieceFacts, successors: readonly Successor[] | undefined, next: PieceFacts | undefined): Promise<void> {
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
    const { writer } = this.rewriting;
    if ("copy" in successor) return writer.addCopy(successor.copy, successor.id, position, successor.index);
    return writer.add({ ...successor.text, position }, successor.text.index);
  }
}
