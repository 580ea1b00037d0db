import { pace } from "@/lib/platform/event-loop";
import { newId } from "@/lib/platform/ids";
import type { EntryFacts, EntryHead } from "../document/entry";
import { EntryScanner, type ScannedEntry } from "../document/entry-scanner";
import { type Splice, spliced } from "../document/splices";
import { type IndexKeys, indexEntry } from "../index/entry";
import { entriesOfPiece } from "../index/find";
import type { IndexEntry } from "../index/queries";
import { MAX } from "../pieces/gzip";
import {
  type Block,
  cutLarge,
  ENOUGH,
  type EntryPointer,
  PieceCutter,
  type PieceFacts,
  POSITIONS_APART,
} from "../pieces/piece";
import { type OpenVersion, textOfPiece, textsOfPieces } from "../pieces/read";
import { type DraftWriter, type NewPiece, PieceReplacer, type Successor } from "./draft";
import { type DocumentEdit, headSplices, listChangeOf, listSplices, scanEntries, scanLarge } from "./scan";

/** An entry whose data is in the pieces of a draft, between `head` and `tail`. */
export interface EntryAround {
  head: Buffer;
  pieces: readonly PieceFacts[];
  tail: Buffer;
  facts: EntryFacts;
}

/** Selects entries, and returns what changes in their heads. */
export type Select = (entries: readonly EntryHead[]) => Promise<ReadonlyMap<string, Partial<EntryHead>>>;

/**
 * Writes entries to a draft, one after the other; of a changed document after all others, so that they come after their
 * folders. Holds the text of a few pieces.
 */
export class Appender {
  readonly cutter = new PieceCutter();
  private index: IndexEntry[] = [];
  private dropped: string[] = [];

  /** `last`: the position of the last piece before them. */
  constructor(
    private readonly writer: DraftWriter,
    private readonly indexKeys: IndexKeys,
    private last: bigint,
  ) {}

  /** Adds an entry to the index. */
  addToIndex(pointer: EntryPointer, facts: EntryFacts): void {
    this.index.push(indexEntry(this.indexKeys, pointer, facts));
  }

  /** Discards the entry being written. */
  dropEntry(): void {
    this.dropped.push(...this.cutter.dropEntry());
  }

  /** Passes on the complete pieces. */
  async store(): Promise<void> {
    if (this.dropped.length > 0) await this.writer.drop(this.dropped.splice(0));
    const pieces = this.cutter.collect();
    if (pieces.length === 0) return;
    for (const piece of pieces) await this.writer.add({ ...piece, position: this.next() });
    this.cutter.recycle(pieces);
    const incomplete = this.index.findIndex(({ pieceId }) => !this.cutter.isComplete(pieceId));
    await this.writer.addIndex(this.index.splice(0, incomplete < 0 ? this.index.length : incomplete));
  }

  /** Completes the last piece and passes it on. More may follow. */
  async finish(): Promise<void> {
    this.cutter.finish();
    await this.store();
  }

  /** Adds complete entries. */
  async text(text: Buffer): Promise<void> {
    for (const entry of await scanEntries(text)) {
      this.cutter.write(text, entry.from, entry.to);
      this.addToIndex(this.cutter.endEntry(), entry);
      await this.store();
    }
  }

  /** Adds copies of those entries of these blocks that `select` selects, in the same order. */
  async copies(version: OpenVersion, blocks: readonly Block[], select: Select): Promise<void> {
    const turn = pace();
    for (const block of blocks) {
      if (block.length > 1) await this.largeCopy(version, block, select);
      else {
        const text = await textOfPiece(version, block[0]);
        const entries = await scanEntries(text);
        const changes = await select(entries);
        for (const { id, from, to, values } of entries) {
          await turn();
          const change = changes.get(id);
          if (change) await this.text(spliced(text.subarray(from, to), from, headSplices(values, change)));
        }
      }
    }
  }

  /** Adds an entry around the pieces of another draft. Returns how far those pieces must be moved. */
  async around({ head, pieces, tail, facts }: EntryAround): Promise<{ by: bigint; pieces: PieceFacts[] }> {
    await this.finish();
    const id = newId();
    await this.writer.add({ id, text: head, entries: 1, position: this.next() }, [
      indexEntry(this.indexKeys, { pieceId: id, start: 0 }, facts),
    ]);
    const by = this.last + POSITIONS_APART - (pieces[0]?.position ?? 0n);
    const moved = pieces.map((piece) => ({ ...piece, position: piece.position + by }));
    this.last = moved.at(-1)?.position ?? this.last;
    await this.writer.add({ id: newId(), text: tail, entries: 0, position: this.next() });
    return { by, pieces: moved };
  }

  private async largeCopy(version: OpenVersion, block: Block, select: Select): Promise<void> {
    const entry = await scanLarge(version, block);
    const change = (await select([entry])).get(entry.id);
    const [first, ...others] = block;
    if (!change) return;
    await this.finish();
    const begin = spliced(await textOfPiece(version, first), 0, headSplices(entry.values, change));
    for (const { index, ...piece } of largePieces(begin, this.indexKeys, { ...entry, ...change }))
      await this.writer.add({ ...piece, position: this.next() }, index);
    for (const other of others) await this.writer.addCopy(other, { id: newId(), position: this.next() });
  }

  private next(): bigint {
    this.last += POSITIONS_APART;
    return this.last;
  }
}

/** The pieces for a part of a large entry. With `facts`, it begins with the part, and is in the index. */
function largePieces(part: Buffer, indexKeys: IndexKeys, facts: EntryFacts | undefined): NewPiece[] {
  return cutLarge(part).map((text, at) => {
    const id = newId();
    const index = facts && at === 0 ? [indexEntry(indexKeys, { pieceId: id, start: 0 }, facts)] : [];
    return { id, text, entries: index.length, index };
  });
}

interface Rewriting {
  version: OpenVersion;
  indexKeys: IndexKeys;
  writer: DraftWriter;
  edit: DocumentEdit;
}

/** Creates new pieces for those that an edit changes, in their positions. */
export class Rewriter {
  private readonly replacer: PieceReplacer;
  private readonly turn = pace();
  /** The text of the last piece, if deferred. */
  deferred: Buffer | undefined;
  constructor(private readonly rewriting: Rewriting) {
    this.replacer = new PieceReplacer(rewriting.writer);
  }

  /** Pieces that are no longer part of the document. */
  get retired(): ReadonlySet<string> {
    return this.replacer.retired;
  }

  /**
   * Rewrites the blocks that contain one of the pieces `touched`. `deferLast`: if the last piece is small and contains
   * complete entries, it is not written but left for what follows.
   */
  async run(blocks: readonly Block[], touched: ReadonlySet<string>, deferLast: boolean): Promise<void> {
    const pieces = blocks.flat();
    let n = 0;
    for (const [index, block] of blocks.entries()) {
      await this.turn();
      const [first] = block;
      const isTouched = block.some(({ id }) => touched.has(id));
      const isLast = deferLast && index === blocks.length - 1 && block.length === 1;
      if (isLast && (isTouched || first.plainLength < ENOUGH)) {
        const text = await textOfPiece(this.rewriting.version, first);
        this.deferred = isTouched ? await this.edited(text) : text;
        await this.replacer.replace(first, [], undefined);
      } else if (isTouched || this.replacer.isCarrying) {
        const successors = isTouched
          ? await (block.length === 1 ? this.rewriteSmall(block) : this.rewriteLarge(block))
          : new Map<string, Successor[]>();
        for (const [at, piece] of block.entries())
          await this.replacer.replace(piece, successors.get(piece.id), pieces[n + at + 1]);
      }
      n += block.length;
    }
  }

  /** The text of complete entries after the edit. */
  private async edited(text: Buffer): Promise<Buffer> {
    const splices: Splice[] = [];
    for (const entry of await scanEntries(text, this.rewriting.edit.lists)) {
      await this.turn();
      const edit = this.rewriting.edit.edit(entry);
      if (edit === "remove") splices.push({ from: entry.from, to: entry.to, text: "" });
      else splices.push(...headSplices(entry.values, edit), ...this.listSplicesOf(entry));
    }
    return spliced(text, 0, splices);
  }

  private async rewriteSmall([piece]: Block): Promise<Map<string, Successor[]>> {
    const text = await textOfPiece(this.rewriting.version, piece);
    const edited = await this.edited(text);
    return edited === text ? new Map() : new Map([[piece.id, await this.cut(edited)]]);
  }

  /** The pieces for a text of complete entries: one, or several if it is too long. */
  private async cut(text: Buffer): Promise<NewPiece[]> {
    if (text.length === 0) return [];
    const entries = await scanEntries(text);
    const { indexKeys } = this.rewriting;
    const index: IndexEntry[] = [];
    if (text.length <= MAX) {
      const id = newId();
      for (const entry of entries) {
        await this.turn();
        index.push(indexEntry(indexKeys, { pieceId: id, start: entry.from }, entry));
      }
      return [{ id, text, entries: entries.length, index }];
    }
    const cutter = new PieceCutter();
    for (const entry of entries) {
      await this.turn();
      cutter.write(text, entry.from, entry.to);
      index.push(indexEntry(indexKeys, cutter.endEntry(), entry));
    }
    cutter.finish();
    return cutter.collect().map((piece) => ({ ...piece, index: index.filter(({ pieceId }) => pieceId === piece.id) }));
  }

  /** Rewrites only the changed pieces of a large entry, but always its first one: its index entry refers to it. */
  private async rewriteLarge(block: Block): Promise<Map<string, Successor[]>> {
    const { version, edit, indexKeys } = this.rewriting;
    const [first] = block;
    const [row] = await entriesOfPiece(first.id);
    if (!row) throw new Error("A large entry of a document has no index.");
    const begin = await textOfPiece(version, first);
    const head = new EntryScanner({ entry() {} });
    head.push(begin);
    const { type, name, location } = head.parts;
    const id = row.entryId;
    const change = edit.edit({ id, type, name, location });
    const isListed = listChangeOf(edit.lists, { type, name, location }) !== undefined;
    if (change === "remove") return new Map(block.map((piece) => [piece.id, []]));
    if (!change && !isListed) return new Map();

    const splices = headSplices(head.values, change);
    const facts = { ...row, id, type, name, location, ...change, edited: String(row.edited) };
    if (isListed) {
      const entry = await scanLarge(version, block, edit.lists);
      splices.push(...listSplices(entry, edit.now));
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
      successors.set(piece.id, largePieces(changed, indexKeys, piece === first ? facts : undefined));
    }
    return successors;
  }

  private listSplicesOf(entry: ScannedEntry): Splice[] {
    const { lists, now } = this.rewriting.edit;
    return listChangeOf(lists, entry) ? listSplices(entry, now) : [];
  }
}
