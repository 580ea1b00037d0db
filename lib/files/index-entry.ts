import { FOLDER } from "./entry-rules";
import type { IndexKeys } from "./index-keys";

const MOST_LABEL = 255;
const MOST_TYPE = 40;
/** Neither can be shown, nor does PostgreSQL's text take U+0000. */
const CONTROLS = /\p{Cc}/gu;

/** Where an entry's text begins. */
export interface Place {
  pieceId: string;
  start: number;
}

/** What the index says of an entry beside its place: the values that its row is made of. */
export interface EntryFacts {
  id: string;
  type: string;
  name: string;
  location: string;
  /** Bytes of the content; of a folder, how many children its list names. */
  size: number;
  /** The JSON text of the value, or what fits of it. */
  edited: string;
  isBase64: boolean;
}

/** A row of the index, but for its number. */
export interface IndexEntry extends Place {
  entryKey: string;
  parentKey: string;
  pathKey: string;
  label: string;
  type: string;
  size: number;
  edited: number | null;
  isBase64: boolean;
}

export function indexEntry(keys: IndexKeys, place: Place, { id, type, name, location, size, edited, isBase64 }: EntryFacts): IndexEntry {
  return {
    ...place,
    entryKey: keys.ofEntry(id),
    parentKey: keys.ofParent(location),
    pathKey: keys.ofPath(pathOf({ type, name, location })),
    label: shown(name, MOST_LABEL),
    type: shown(type, MOST_TYPE),
    size,
    edited: millis(edited),
    isBase64,
  };
}

/** Where an entry is: a folder's children have this as their location. */
export function pathOf({ type, name, location }: { type: string; name: string; location: string }): string {
  return type === FOLDER ? `${location}/${name}` : `${location}/${name}${type}`;
}

function shown(text: string, most: number): string {
  return text.slice(0, most).replace(CONTROLS, "\ufffd").toWellFormed();
}

function millis(edited: string): number | null {
  const number = /^[\d.eE+-]+$/.test(edited) ? Math.trunc(Number(edited)) : Number.NaN;
  return Number.isSafeInteger(number) ? number : null;
}
