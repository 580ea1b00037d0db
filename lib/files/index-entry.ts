import { FOLDER } from "./entry-rules";
import type { IndexKeys } from "./index-keys";
import { nameSortKey } from "./sort-key";

const MOST_LABEL = 255;
const MOST_TYPE = 40;
/** Neither can be shown, nor does PostgreSQL's text take U+0000. */
const CONTROLS = /\p{Cc}/gu;
const PLAIN = /^[ -~]*$/;

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
  entryId: string;
  entryBucket: number;
  parentKey: string;
  /** 0 for a folder, 1 for a file. */
  rank: number;
  /** Bytes as hex digits (lib/files/sort-key.ts). */
  nameKey: string;
  typeKey: string;
  /** Null for a file. */
  pathKey: string | null;
  label: string;
  type: string;
  size: number;
  edited: number | null;
  isBase64: boolean;
}

export function indexEntry(keys: IndexKeys, place: Place, { id, type, name, location, size, edited, isBase64 }: EntryFacts): IndexEntry {
  const isFolder = type === FOLDER;
  const shownAs = { label: shown(name, MOST_LABEL), type: shown(type, MOST_TYPE) };
  // Not spread: an object made so was measured to take twice the memory of this one, and ten times the garbage.
  return {
    pieceId: place.pieceId,
    start: place.start,
    entryId: id,
    entryBucket: keys.bucketOf(id),
    parentKey: keys.ofParent(location),
    rank: isFolder ? 0 : 1,
    nameKey: nameSortKey(displayName(shownAs)),
    typeKey: keys.ofType(shownAs.type),
    pathKey: isFolder ? keys.ofPath(`${location}/${name}`) : null,
    label: shownAs.label,
    type: shownAs.type,
    size,
    edited: millis(edited),
    isBase64,
  };
}

/** The name as people see it, a file's with its extension. */
export function displayName({ label, type }: { label: string; type: string }): string {
  return type === FOLDER ? label : `${label}${type}`;
}

function shown(text: string, most: number): string {
  const short = text.slice(0, most);
  return PLAIN.test(short) ? short : short.replace(CONTROLS, "\ufffd").toWellFormed();
}

function millis(edited: string): number | null {
  const number = /^[\d.eE+-]+$/.test(edited) ? Math.trunc(Number(edited)) : Number.NaN;
  return Number.isSafeInteger(number) ? number : null;
}
