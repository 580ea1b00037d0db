import { foldCase } from "@/lib/platform/fold-case";
import { EntryMeter } from "./content";
import { DATA, type EntryFacts, FOLDER, type HeadPart, ID, LOCATION, NAME, TYPE, VALUES_PER_ENTRY } from "./entry";
import { type Elements, JsonScanner, type Kind } from "./json-scanner";
import { BACKSLASH, CLOSE_ARRAY, CLOSE_OBJECT, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from "./json-string";
import type { ListChange, Splice } from "./splices";

const PARTS = new Map<number, HeadPart>([
  [TYPE, "type"],
  [NAME, "name"],
  [LOCATION, "location"],
  [ID, "id"],
]);
const OPEN = Buffer.from([OPEN_ARRAY]);

/** The bytes of a value's text. */
export interface Span {
  from: number;
  to: number;
}

/** An entry in the stored text of a document. Positions are counted from the text's first byte. */
export interface ScannedEntry extends EntryFacts {
  /** Includes the separator before it. */
  from: number;
  to: number;
  /** Its 14 values. */
  values: Span[];
  /** The splices to its list of children. */
  listSplices: readonly Splice[];
}

/** Gets the entries as they are read. */
interface EntryListener {
  /** The planned change to the list of a folder. */
  listChange?(folder: { type: string; name: string; location: string }): ListChange | undefined;
  /** The next bytes of the value at `position`, of an entry whose earlier parts were read. */
  value?(position: number, chunk: Uint8Array, from: number, to: number): void;
  entry(entry: ScannedEntry): void;
}

/**
 * Reads stored text that begins with an entry, including its separator, and contains complete entries; in chunks of any
 * size.
 */
export class EntryScanner implements Elements {
  /** The position of an entry's next value; 0 between two entries. */
  position = 0;
  /** The parts of the current entry, as far as read. */
  readonly parts: Record<HeadPart, string> = { type: "", name: "", location: "", id: "" };
  private readonly scanner = new JsonScanner(this);
  private readonly meter = new EntryMeter();
  private partText: Buffer[] = [];
  /** Its values so far. */
  values: Span[] = [];
  private span: Span = { from: 0, to: 0 };
  /** Position of the current chunk in the complete text. */
  private offset = 0;
  private length = 0;

  constructor(private readonly listener: EntryListener) {}

  push(chunk: Uint8Array): void {
    // The scanner reads an array from its beginning; this text begins with the n-th entry.
    const begun = this.length > 0;
    if (!begun) this.scanner.push(OPEN);
    this.offset = begun ? this.length : 1;
    this.length += chunk.length;
    this.scanner.push(begun ? chunk : chunk.subarray(1));
  }

  begin(kind: Kind): void {
    const isFolder = this.parts.type === FOLDER;
    const change = this.position === DATA && isFolder ? this.listener.listChange?.(this.parts) : undefined;
    this.meter.begin(this.position, kind, isFolder, change);
    this.span = { from: -1, to: -1 };
    this.partText = [];
  }

  text(chunk: Uint8Array, from: number, to: number): void {
    if (this.span.from < 0) this.span.from = this.offset + from;
    this.span.to = this.offset + to;
    if (PARTS.has(this.position)) this.partText.push(Buffer.from(chunk.subarray(from, to)));
    else this.meter.text(this.position, chunk, from, to, this.offset);
    this.listener.value?.(this.position, chunk, from, to);
  }

  end(): void {
    const part = PARTS.get(this.position);
    if (part) this.parts[part] = String(JSON.parse(Buffer.concat(this.partText).toString()));
    this.meter.end(this.position);
    this.values[this.position] = this.span;
    this.position = (this.position + 1) % VALUES_PER_ENTRY;
    if (this.position > 0) return;
    const { id, type, name, location } = this.parts;
    const { size, isBase64, edited, children } = this.meter;
    const from = (this.values[0]?.from ?? 0) - 1;
    const { values } = this;
    this.values = [];
    const listSplices = children?.splices ?? [];
    this.listener.entry({
      id,
      type,
      name,
      location,
      size,
      isBase64,
      edited,
      from,
      to: this.span.to,
      values,
      listSplices,
    });
  }

  refuse(why: string): never {
    throw new Error(`A stored document is damaged: ${why}.`);
  }
}

/** Whether an entry of stored text is a folder, and where its data and itself end, as far as the text contains them. */
interface EntrySpans {
  isFolder: boolean;
  data: Span;
  to: number;
}

/**
 * The entry that begins at `from` with its separator. Stored text is valid JSON without blanks, so brackets and quotes
 * are enough: with a scanner, an index was measured to take six times as long.
 */
export function entrySpans(text: Buffer, from: number): EntrySpans {
  let data: Span = { from: text.length, to: text.length };
  let isFolder = false;
  let at = from + 1;
  for (let position = 0; position < VALUES_PER_ENTRY; position++) {
    const to = valueEnd(text, at);
    if (position === TYPE) isFolder = JSON.parse(text.toString("latin1", at, to)) === FOLDER;
    if (position === DATA) data = { from: at, to };
    at = to + 1;
  }
  return { isFolder, data, to: at - 1 };
}

/** The comma behind the value that begins at `at`, or the end of the text. */
function valueEnd(text: Uint8Array, at: number): number {
  let depth = 0;
  let isInString = false;
  for (let i = at; i < text.length; i++) {
    const byte = text[i];
    if (isInString) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth++;
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
    else if (byte === COMMA && depth === 0) return i;
  }
  return Math.max(at, text.length);
}

const VALUES_AFTER_DATA = VALUES_PER_ENTRY - DATA - 1;

/**
 * Finds where the data of an entry ends, from the end of its stored text backwards: an opening quote is the first one,
 * going back, that follows an even number of backslashes.
 */
export class DataEnd {
  private commas = 0;
  private depth = 0;
  private isInString = false;
  /** Since a quote that ends the string, if it is not escaped: how many backslashes precede it. */
  private backslashes = -1;

  /** Adds the part of the text before the last one: where in it the comma behind the data is, if it is there. */
  before(text: Uint8Array): number | undefined {
    for (let at = text.length - 1; at >= 0; at--) {
      const byte = text[at] ?? 0;
      if (this.backslashes >= 0) {
        if (byte === BACKSLASH) {
          this.backslashes++;
          continue;
        }
        this.isInString = this.backslashes % 2 === 1;
        this.backslashes = -1;
      }
      if (byte === QUOTE) {
        if (this.isInString) this.backslashes = 0;
        this.isInString = true;
      } else if (this.isInString) continue;
      else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) this.depth++;
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) this.depth--;
      else if (byte === COMMA && this.depth === 0 && ++this.commas === VALUES_AFTER_DATA) return at;
    }
    return undefined;
  }
}

/** Finds which of several folders a location is in or below, ignoring case. As fast with many folders as with few. */
export class FolderFinder<T> {
  private readonly byPath: ReadonlyMap<string, T>;
  /** The lengths of these paths, the shortest first. */
  private readonly lengths: number[];
  /** The entries of a folder are mostly adjacent. */
  private last: { location: string; value: T | undefined } | undefined;

  /** If two paths are the same folder, the last value wins. */
  constructor(folders: Iterable<readonly [path: string, value: T]>) {
    this.byPath = new Map(Array.from(folders, ([path, value]) => [foldCase(path), value] as const));
    this.lengths = [...new Set([...this.byPath.keys()].map(({ length }) => length))].sort((a, b) => a - b);
  }

  /** The outermost one. */
  find(location: string): T | undefined {
    if (this.last?.location !== location) this.last = { location, value: this.search(foldCase(location)) };
    return this.last.value;
  }

  private search(folded: string): T | undefined {
    for (const length of this.lengths) {
      if (length > folded.length) return undefined;
      if (length < folded.length && folded[length] !== "/") continue;
      const value = this.byPath.get(folded.slice(0, length));
      if (value !== undefined) return value;
    }
    return undefined;
  }
}
