import { type EntryFacts, FOLDER } from "../document/entry";
import type { EntrySummary } from "../entry-summary";
import type { IndexKeys } from "./keys";
import { nameSortKey } from "./sort-key";

const MOST_LABEL = 255;
const MOST_TYPE = 40;
/** These cannot be shown, and PostgreSQL's text does not take U+0000. */
const CONTROLS = /\p{Cc}/gu;
/** Milliseconds from 1970 to the last moment that a Date can be. */
const LAST_DATE = 8.64e15;
const PLAIN = /^[ -~]*$/;

/** Where an entry's text begins. */
export interface Place {
  pieceId: string;
  start: number;
}

/** An index row without its number. */
export interface IndexEntry extends Place {
  entryId: string;
  entryBucket: number;
  parentKey: string;
  /** 0 for a folder, 1 for a file. */
  rank: number;
  /** Bytes as hex digits (lib/files/index/sort-key.ts). */
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

export function indexEntry(
  keys: IndexKeys,
  place: Place,
  { id, type, name, location, size, edited, isBase64 }: EntryFacts,
): IndexEntry {
  const isFolder = type === FOLDER;
  const shownAs = { label: shown(name, MOST_LABEL), type: shown(type, MOST_TYPE) };
  // Not spread: an object created so was measured to take twice the memory, and ten times the garbage.
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

/** The name that people see, for a file with its extension. */
export function displayName({ label, type }: { label: string; type: string }): string {
  return type === FOLDER ? label : `${label}${type}`;
}

/** An entry as lists show it. */
export function summaryOf({
  entryId,
  label,
  type,
  size,
  edited,
  isBase64,
}: Pick<IndexEntry, "entryId" | "label" | "type" | "size" | "edited" | "isBase64">): EntrySummary {
  const isFolder = type === FOLDER;
  const name = displayName({ label, type });
  const isText = !isFolder && !isBase64;
  return {
    id: entryId,
    name,
    type,
    isFolder,
    isText,
    size: isFolder ? 0 : size,
    children: isFolder ? size : 0,
    edited: edited !== null && Math.abs(edited) <= LAST_DATE ? edited : null,
  };
}

function shown(text: string, most: number): string {
  const short = text.slice(0, most);
  return PLAIN.test(short) ? short : short.replace(CONTROLS, "\ufffd").toWellFormed();
}

function millis(edited: string): number | null {
  const number = /^[\d.eE+-]+$/.test(edited) ? Math.trunc(Number(edited)) : Number.NaN;
  return Number.isSafeInteger(number) ? number : null;
}
