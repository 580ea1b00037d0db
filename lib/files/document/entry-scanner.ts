import { copyBytes, EntryMeter } from "./content";
import { DATA, type EntryFacts, FOLDER, type HeadPart, ID, LOCATION, NAME, TYPE, VALUES_PER_ENTRY } from "./entry";
import { type Elements, JsonScanner, type Kind } from "./json-scanner";
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  JsonUnescape,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from "./json-string";
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

const DIGITS_PER_GROUP = 4;
/** The maximum rest of a previous piece: half a character. */
const MAX_LEFT = 4;

/** Decodes the content of one entry from stored text that begins with it. */
export class ContentDecoder {
  name = "";
  type = "";
  /** The media type of the data: URL; "" if there is none, or it has not begun yet. */
  mediaType = "";
  isComplete = false;
  private decoded = Buffer.alloc(0);
  private length = 0;
  private header = "";
  private isInHeader: boolean;
  /** Digits that do not fill a group yet. */
  private digits = "";
  /** Whether its data is a string; undefined until it begins. The content of other data is its JSON text. */
  private isString: boolean | undefined;
  private readonly unescape = new JsonUnescape((chunk, from, to) => this.put(chunk, from, to));
  private readonly scanner = new EntryScanner({
    value: (position, chunk, from, to) => {
      if (position !== DATA || this.isComplete) return;
      this.isString ??= chunk[from] === QUOTE;
      if (this.isString) this.unescape.add(chunk, from, to);
      else this.put(chunk, from, to);
    },
    entry: ({ name, type }) => {
      if (this.isComplete) return;
      this.isComplete = true;
      this.name = name;
      this.type = type;
    },
  });

  constructor(private readonly isBase64: boolean) {
    this.isInHeader = isBase64;
  }

  /** Adds the next part of the stored text and returns its decoded bytes. */
  push(text: Uint8Array): Uint8Array {
    this.decoded = Buffer.allocUnsafe(text.length + MAX_LEFT);
    this.length = 0;
    this.scanner.push(text);
    if (this.isComplete) this.unescape.end();
    if (!this.isComplete) ({ name: this.name, type: this.type } = this.scanner.parts);
    const bytes = this.decoded.subarray(0, this.length);
    return this.isBase64 ? this.fromBase64(bytes) : bytes;
  }

  private put(chunk: Uint8Array, from: number, to: number): void {
    copyBytes(chunk, from, to, this.decoded, this.length);
    this.length += to - from;
  }

  private fromBase64(bytes: Buffer): Buffer {
    let from = 0;
    if (this.isInHeader) {
      const comma = bytes.indexOf(COMMA);
      from = comma < 0 ? bytes.length : comma + 1;
      this.header += bytes.toString("latin1", 0, from);
      this.isInHeader = comma < 0;
      if (comma >= 0) this.mediaType = this.header.slice("data:".length, -";base64,".length);
    }
    const digits = this.digits + bytes.toString("latin1", from);
    const complete = digits.length - (digits.length % DIGITS_PER_GROUP);
    this.digits = digits.slice(complete);
    return Buffer.from(digits.slice(0, complete), "base64");
  }
}
