import { foldCase } from "@/lib/platform/fold-case";
import { EDITED, type EntryFacts, type EntryHead, FOLDER, LOCATION, NAME, pathOf, SIZE, TYPE } from "../document/entry";
import type { ScannedEntry, Span } from "../document/entry-scanner";
import type { ListChange, Splice } from "../document/splices";
import { type IndexEntry, type IndexKeys, indexEntry } from "../index/entry";
import { PieceCutter } from "../pieces/cutter";
import type { EntryPointer } from "../pieces/piece";
import type { DraftWriter } from "./draft";

/** The edit of an entry: it is removed, or gets another name or location. */
type EntryEdit = "remove" | Partial<Omit<EntryHead, "id">>;

/** Changes to the lists of folders, by case-folded path; these folders count as edited now. */
export type ListChanges = ReadonlyMap<string, ListChange>;

/** The change to an entry's list, if it is a folder. */
export function listChangeOf(lists: ListChanges, entry: Omit<EntryHead, "id">): ListChange | undefined {
  return lists.size > 0 && entry.type === FOLDER ? lists.get(foldCase(pathOf(entry))) : undefined;
}

/** The edit of a document's entries. */
export interface DocumentEdit {
  /** Undefined: the entry stays as it is. */
  edit(entry: EntryHead): EntryEdit | undefined;
  lists: ListChanges;
  now: Date;
}

/** The changes of the first three values of an entry. */
export function headSplices(values: readonly Span[], edit: Partial<EntryHead> | undefined): Splice[] {
  const changes: [number, string | undefined][] = [
    [TYPE, edit?.type],
    [NAME, edit?.name],
    [LOCATION, edit?.location],
  ];
  return changes.flatMap(([position, value]) => (value === undefined ? [] : splice(values, position, value)));
}

/** The changes to a folder's values after its list, with the list's own changes. */
export function listSplices(
  { values, listSplices: list, size: children }: Pick<ScannedEntry, "values" | "listSplices" | "size">,
  now: Date,
): Splice[] {
  return [...list, ...splice(values, EDITED, now.getTime()), ...splice(values, SIZE, children)];
}

function splice(values: readonly Span[], position: number, value: string | number): Splice[] {
  const span = values[position];
  return span ? [{ ...span, text: JSON.stringify(value) }] : [];
}

/** Passes the pieces from a cutter to a draft, with their entries' index. Holds the text of a few of them. */
export class EntryWriter {
  readonly cutter = new PieceCutter();
  private index: IndexEntry[] = [];
  private dropped: string[] = [];

  /** `position` returns the next piece's position. */
  constructor(
    private readonly writer: DraftWriter,
    private readonly indexKeys: IndexKeys,
    private readonly position: () => bigint,
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
    for (const piece of pieces) await this.writer.add({ ...piece, position: this.position() });
    this.cutter.recycle(pieces);
    const incomplete = this.index.findIndex(({ pieceId }) => !this.cutter.isComplete(pieceId));
    await this.writer.addIndex(this.index.splice(0, incomplete < 0 ? this.index.length : incomplete));
  }

  /** Completes the last piece and passes it on. More may follow. */
  async finish(): Promise<void> {
    this.cutter.finish();
    await this.store();
  }
}
