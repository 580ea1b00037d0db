import type { ListChange } from "../document/child-list";
import { EDITED, type EntryHead, FOLDER, LOCATION, NAME, SIZE, TYPE } from "../document/entry";
import type { Span } from "../document/entry-scanner";
import { foldCase } from "../document/fold-case";
import { pathOf } from "../document/paths";
import type { Splice } from "../document/splices";

/** The edit of an entry: it is removed, or gets another name or location. */
export type EntryEdit = "remove" | Partial<Omit<EntryHead, "id">>;

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
  return changes.flatMap(([place, value]) => (value === undefined ? [] : splice(values, place, value)));
}

/** The changes to a folder's values after its list, whose own changes are `list`. */
export function listSplices(values: readonly Span[], list: readonly Splice[], children: number, now: Date): Splice[] {
  return [...list, ...splice(values, EDITED, now.getTime()), ...splice(values, SIZE, children)];
}

function splice(values: readonly Span[], place: number, value: string | number): Splice[] {
  const span = values[place];
  return span ? [{ ...span, text: JSON.stringify(value) }] : [];
}
