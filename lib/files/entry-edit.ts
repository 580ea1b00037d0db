import type { ListChange } from "./child-list";
import { EDITED, LOCATION, NAME, SIZE, TYPE } from "./entry-meter";
import { FOLDER } from "./entry-rules";
import type { Span } from "./entry-scanner";
import { foldCase } from "./fold-case";
import { pathOf } from "./places";
import type { Splice } from "./splices";

/** What tells an entry from all others, and where it is. */
export interface EntryHead {
  id: string;
  type: string;
  name: string;
  location: string;
}

/** What is to become of an entry: it goes, or gets another name or place. */
export type EntryEdit = "remove" | Partial<Omit<EntryHead, "id">>;

/** How the lists of folders change, by their paths without case; those folders are edited at that moment. */
export type ListChanges = ReadonlyMap<string, ListChange>;

/** How the list of an entry changes, where it is a folder's. */
export function listChangeOf(lists: ListChanges, entry: Omit<EntryHead, "id">): ListChange | undefined {
  return lists.size > 0 && entry.type === FOLDER ? lists.get(foldCase(pathOf(entry))) : undefined;
}

/** What is to become of a document's entries. */
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
  return changes.flatMap(([place, value]) => (value === undefined ? [] : splice(values, place, value)));
}

/** The changes of a folder's values behind its list, whose own changes are `list`. */
export function listSplices(values: readonly Span[], list: readonly Splice[], children: number, now: Date): Splice[] {
  return [...list, ...splice(values, EDITED, now.getTime()), ...splice(values, SIZE, children)];
}

function splice(values: readonly Span[], place: number, value: string | number): Splice[] {
  const span = values[place];
  return span ? [{ ...span, text: JSON.stringify(value) }] : [];
}
