import { hash } from "node:crypto";
import { z } from "zod";
import { readCursor, writeCursor } from "@/lib/platform/cursor";
import { sql } from "@/lib/platform/db/client";
import { turnOfOthers } from "@/lib/platform/event-loop";
import { isEntryId } from "../schema";
import { entriesInRange, type RowRange, type StoredIndexEntry, storedEntry } from "./queries";

/**
 * Maximum bytes of each part of a sort key: the part for letters and numbers, the part that separates names equal in
 * these, and the part that separates all others.
 */
const MAX_MAIN = 64;
const MAX_TIE = 24;
const HASH_BYTES = 6;
/** Characters of a name that are read: more never fit into a sort key. */
const MAX_READ = 2 * MAX_MAIN;

/** Punctuation in the expected order: before digits and letters (the order of the Unicode Collation Algorithm). */
const SIGNS = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";
const FIRST_SIGN = 0x02;
const OTHER_SIGN = 0x2a;
const NUMBER = 0x30;
const NUMERAL = /^(0*)(\d*)/;
const isDigit = (code: number) => code >= 0x30 && code <= 0x39;
const isUpper = (code: number) => code > 0x40 && code < 0x5b;

/** The byte of each ASCII character; 0: skipped. */
const BYTES = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code).toLowerCase();
  const sign = SIGNS.indexOf(letter);
  return sign >= 0 ? FIRST_SIGN + sign : /[a-z]/.test(letter) ? letter.charCodeAt(0) : 0;
});

/** Letters that Unicode does not decompose. */
const LIKE: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  ħ: "h",
  ı: "i",
  ŧ: "t",
  þ: "th",
};
const ASCII = /^[\0-\x7f]*$/;
const COMBINING = /^\p{M}/u;
const SIGN = /^[\p{P}\p{S}\p{Z}]/u;

/**
 * The sort key of a name as hex digits: ignores case and accents, and compares numbers by value. Among names that are
 * equal so far, unaccented and lower case come first. A name has the same sort key everywhere, and no other name has
 * it. At most 121 bytes.
 */
export function nameSortKey(name: string): string {
  const { bytes, accents, cases } = new Letters(name);
  const sortKey = [...bytes];
  for (const ties of [accents, cases]) {
    const some = ties.slice(0, MAX_TIE);
    sortKey.push(0, ...some.slice(0, some.findLastIndex((tie) => tie !== 1) + 1));
  }
  return Buffer.from([...sortKey, 0]).toString("hex") + hash("sha256", name, "hex").slice(0, 2 * HASH_BYTES);
}

/**
 * The same for values that many entries share, like a file's extension: only letters and numbers count. At most 64
 * bytes.
 */
export function typeSortKey(type: string): string {
  return Buffer.from(new Letters(type).bytes).toString("hex");
}

/** The first part of a sort key, and for each of its bytes the parts of the ties: 2 for an accent, 2 for upper case. */
class Letters {
  readonly bytes: number[] = [];
  readonly accents: number[] = [];
  readonly cases: number[] = [];

  constructor(name: string) {
    const read = name.slice(0, MAX_READ);
    const text = ASCII.test(read) ? read : read.toWellFormed().normalize("NFKD");
    for (let i = 0; i < text.length && this.bytes.length < MAX_MAIN; ) {
      const code = text.charCodeAt(i);
      if (isDigit(code)) i = this.number(text, i);
      else if (code < 128) {
        const byte = BYTES[code] ?? 0;
        if (byte > 0) this.put(byte, isUpper(code));
        i++;
      } else {
        const letter = String.fromCodePoint(text.codePointAt(i) ?? 0);
        this.other(letter);
        i += letter.length;
      }
    }
  }

  /** A letter beyond ASCII, or an accent on the one before. */
  private other(letter: string): void {
    if (COMBINING.test(letter)) {
      this.addAccent();
      return;
    }
    const lower = letter.toLowerCase();
    const like = LIKE[lower];
    if (SIGN.test(letter)) this.put(OTHER_SIGN, false);
    for (const byte of Buffer.from(like ?? lower)) this.put(byte, lower !== letter);
    if (like) this.addAccent();
  }

  private addAccent(): void {
    if (this.accents.length > 0) this.accents[this.accents.length - 1] = 2;
  }

  /** Adds the number that begins at `from`: its count of digits, then the digits. Returns where it ends. */
  private number(text: string, from: number): number {
    const [zeros = "", digits = ""] = NUMERAL.exec(text.slice(from))?.slice(1) ?? [];
    this.put(NUMBER, false);
    this.put(Math.min(0xff, digits.length), false);
    for (const byte of Buffer.from(digits)) this.put(byte, false);
    return from + zeros.length + digits.length;
  }

  private put(byte: number, isUpperCase: boolean): void {
    if (this.bytes.length === MAX_MAIN) return;
    this.bytes.push(byte);
    this.accents.push(1);
    this.cases.push(isUpperCase ? 2 : 1);
  }
}

const hex = z.string().regex(/^(?:[0-9a-f]{2}){0,130}$/);
const count = z.int().min(0);

/** What a cursor has: its order, then the fields of `Cursor`. */
const positionWith = (value: z.ZodType<number | string>) =>
  z.tuple([
    z.string(),
    z.enum(["after", "before"]),
    z.literal([0, 1]),
    value,
    hex,
    count,
    z.literal("").or(z.string().refine(isEntryId)),
    count.nullable(),
  ]);
const typePosition = positionWith(hex);
const numberPosition = positionWith(z.int());

/** A position in the ordered list of a folder, and on which side of it the page is. */
export interface Cursor {
  side: "after" | "before";
  standing: Standing;
  /** The number of entries before the position, as far as counted. */
  counted: number | null;
}

/** The cursor for an address. It is valid only in the order it was created in. */
export function writeEntryCursor({ side, standing, counted }: Cursor, sort: SortedBy, descending: boolean): string {
  const { rank, value, nameKey, rowId, entryId } = standing;
  return writeCursor([order(sort, descending), side, rank, value, nameKey, rowId, entryId, counted]);
}

/** The cursor in an address; undefined if it is not a cursor of this order, which means the first page. */
export function readEntryCursor(text: string, sort: SortedBy, descending: boolean): Cursor | undefined {
  const position = readCursor(text, sort === "type" ? typePosition : numberPosition);
  if (position?.[0] !== order(sort, descending)) return undefined;
  const [, side, rank, value, nameKey, rowId, entryId, counted] = position;
  return { side, standing: { rank, value, nameKey, rowId, entryId }, counted };
}

const order = (sort: SortedBy, descending: boolean) => `${sort}${descending ? " down" : ""}`;

export type SortedBy = "name" | "type" | "size" | "edited";

/** Folders come first in any order. */
export const RANKS = [0, 1] as const;

/** An entry's position in its folder's order: the columns of the order in the index. */
interface Standing {
  rank: number;
  /** The sort value besides the name: a number, or bytes as hex digits. 0 when sorting by name. */
  value: number | string;
  nameKey: string;
  rowId: number;
  /** A change gives the entry a new row; it must not be listed twice. */
  entryId: string;
}

/**
 * The column of the order, which precedes the name in its index. Each index is an ordered list of a folder's entries.
 * Keys are stored, because the two databases neither compare text alike nor have indexes of expressions in Prisma's
 * models; without an index, a page of a million entries would sort them all (docs/security.md: entries of a folder).
 */
const COLUMN: Record<SortedBy, RowRange["order"][number] | undefined> = {
  name: undefined,
  type: "typeKey",
  size: "size",
  edited: "editedOrder",
};

export function standingOf(entry: StoredIndexEntry, sort: SortedBy): Standing {
  const { rank, nameKey, rowId, entryId } = entry;
  const value = { name: 0, type: entry.typeKey, size: entry.size, edited: entry.edited ?? 0 }[sort];
  return { rank, value, nameKey, rowId, entryId };
}

/** A part of the ordered list of a folder's files, or of its folders. */
interface Range {
  parentKey: string;
  sort: SortedBy;
  descending: boolean;
  rank: number;
  /** Only entries after this one. */
  after?: Standing;
  limit: number;
}

/** An entry that is not live belongs to a former or future version, or is the one that the others follow. */
export type RangeEntry = StoredIndexEntry & { isLive: boolean };

/** The statement of `entriesInOrder`. */
export function rangeStatement({ parentKey, sort, descending, rank, after, limit }: Range) {
  const column = COLUMN[sort];
  const order = column ? ([column, "nameKey"] as const) : (["nameKey"] as const);
  return entriesInRange({ parentKey, rank, order, descending, after: after && valuesOf(after, sort), limit });
}

/** The entries of a range, at most `limit`. Reads only the index rows that it returns. */
export async function entriesInOrder(userId: string, range: Range): Promise<RangeEntry[]> {
  const rows = await sql.read(rangeStatement(range));
  return rows.map(({ owner, ...row }) => ({
    ...storedEntry(row),
    isLive: owner === userId && row.entryId !== range.after?.entryId,
  }));
}

/** All entries of a range, at most `limit` at a time. Others get their turn in between. */
export async function* batchesInOrder(userId: string, range: Range): AsyncGenerator<RangeEntry[]> {
  for (let { after } = range; ; await turnOfOthers()) {
    const entries = await entriesInOrder(userId, { ...range, after });
    yield entries;
    const last = entries.at(-1);
    if (!last || entries.length < range.limit) return;
    after = standingOf(last, range.sort);
  }
}

function valuesOf({ value, nameKey, rowId }: Standing, sort: SortedBy): (string | number)[] {
  return [...(sort === "name" ? [] : [value]), nameKey, rowId];
}
