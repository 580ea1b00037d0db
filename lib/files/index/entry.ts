import { hash } from "node:crypto";
import { sql } from "@/lib/platform/db/client";
import { stepSize } from "@/lib/platform/event-loop";
import { foldCase } from "@/lib/platform/fold-case";
import { newId } from "@/lib/platform/ids";
import { type EntryFacts, FOLDER, splitName } from "../document/entry";
import type { EntryPointer } from "../pieces/piece";
import type { EntrySummary } from "../schema";
import { nameSortKey, typeSortKey } from "./order";
import { type IndexEntry, insertRows } from "./queries";

const PATH_KEY_CHARACTERS = 16;
/** The number of buckets that a document's entries are divided into for lookups. */
const BUCKETS = 256;
/** Bytes that separate the documents' buckets: sharing one only costs time. */
const SPACE_BYTES = 5;

/** The prefix of spaces whose keys use case-folded paths. Older indexes are rebuilt. */
const FOLDED = "folded ";

/** The space that the keys of a document's index are computed with. */
export function newIndexSpace(of = newId()): string {
  return `${FOLDED}${of}`;
}

/** Whether the keys of this space have the current format. */
export function isIndexSpace(space: string | null): space is string {
  return space?.startsWith(FOLDED) ?? false;
}

/**
 * The keys of one document's index entries. Each contains the document's own space, so that equal documents of many
 * users do not share one part of the index.
 */
export class IndexKeys {
  private readonly firstBucket: number;
  /** The entries of a folder are mostly adjacent. */
  private lastPath = "";
  private lastPathKey = "";
  private lastType = "";
  private lastTypeKey = "";

  constructor(private readonly space: string) {
    this.firstBucket = hash("sha256", `buckets ${space}`, "buffer").readUIntBE(0, SPACE_BYTES) * BUCKETS;
  }

  /** 96 bits of the SHA-256 of the case-folded path: with two million paths, one in 10^16 documents has a collision. */
  ofPath(path: string): string {
    const folded = foldCase(path);
    // In text that is not well-formed Unicode, all lone surrogates would hash alike.
    return hash(
      "sha256",
      `${this.space} ${folded.isWellFormed() ? folded : JSON.stringify(folded)}`,
      "base64url",
    ).slice(0, PATH_KEY_CHARACTERS);
  }

  /** The parent key of the entries in the folder with this path. */
  ofParent(path: string): string {
    if (path !== this.lastPath) this.lastPathKey = this.ofPath(path);
    this.lastPath = path;
    return this.lastPathKey;
  }

  /**
   * The bucket of the entry with this id: a hash with the space, so that nobody can craft ids that all fall into one.
   */
  bucketOf(id: string): number {
    return this.firstBucket + Number.parseInt(hash("sha256", this.space + id, "hex").slice(0, 2), 16);
  }

  /** The sort key for files of this type. */
  ofType(type: string): string {
    if (type !== this.lastType) this.lastTypeKey = typeSortKey(type);
    this.lastType = type;
    return this.lastTypeKey;
  }
}

const MAX_LABEL = 255;
const MAX_TYPE = 40;
/** These cannot be shown, and PostgreSQL's text refuses U+0000. */
const CONTROLS = /\p{Cc}/gu;
/** Milliseconds from 1970 to the last moment that a Date can be. */
const LAST_DATE = 8.64e15;
const PLAIN = /^[ -~]*$/;

export function indexEntry(
  indexKeys: IndexKeys,
  pointer: EntryPointer,
  { id, type, name, location, size, edited, isBase64 }: EntryFacts,
): IndexEntry {
  const isFolder = type === FOLDER;
  const display = { label: displayText(name, MAX_LABEL), type: displayText(type, MAX_TYPE) };
  // Not spread: an object created so was measured to need twice the memory, and ten times the garbage.
  return {
    pieceId: pointer.pieceId,
    start: pointer.start,
    entryId: id,
    entryBucket: indexKeys.bucketOf(id),
    parentKey: indexKeys.ofParent(location),
    rank: isFolder ? 0 : 1,
    nameKey: nameSortKey(displayName(display)),
    typeKey: indexKeys.ofType(display.type),
    pathKey: isFolder ? indexKeys.ofPath(`${location}/${name}`) : null,
    label: display.label,
    type: display.type,
    size,
    edited: millis(edited),
    isBase64,
  };
}

/** The displayed name, for a file with its extension. */
export function displayName({ label, type }: { label: string; type: string }): string {
  return type === FOLDER ? label : `${label}${type}`;
}

/** The displayed name of the file that has this name with its extension. */
export function displayedName(fullName: string): string {
  const { name, type } = splitName(fullName);
  return displayText(name, MAX_LABEL) + displayText(type, MAX_TYPE);
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

function displayText(text: string, maxLength: number): string {
  const short = text.slice(0, maxLength);
  return PLAIN.test(short) ? short : short.replace(CONTROLS, "\ufffd").toWellFormed();
}

function millis(edited: string): number | null {
  const number = /^[\d.eE+-]+$/.test(edited) ? Math.trunc(Number(edited)) : Number.NaN;
  return Number.isSafeInteger(number) ? number : null;
}

/** Rows that are collected before they are written. */
export const MAX_ROWS = 500;

/**
 * Rows written per statement: SQLite does nothing else meanwhile. Rows of as many folders are on pages of their own in
 * each of seven indexes, and the commit writes all of these; rows of one folder are beside each other.
 */
const rows = stepSize(100, MAX_ROWS);

/** Writes index rows; existing ones get these keys. Their pieces must exist. */
export async function insertIndex(entries: readonly IndexEntry[]): Promise<void> {
  for (let from = 0; from < entries.length; )
    from += await rows.step(async (max) => {
      const some = entries.slice(from, from + max);
      await sql.batch([insertRows(some)]);
      return some.length;
    });
}
