import { MAX_ID } from "../schema";
import type { EntryHead, FileOwner } from "./entry";
import { BACKSLASH, CLOSE_ARRAY, COMMA, isBlank, JsonStringBytes, OPEN_ARRAY, QUOTE } from "./json-string";

interface NewContent {
  /** A file's data, or the ids of a folder's children. */
  data: string | readonly string[];
  created: Date;
  /** In Unix ms. */
  edited: number;
}

/** The 14 values of an entry (contract, section 3). */
export function entryValues(
  { type, name, location, id }: EntryHead,
  { username }: FileOwner,
  { data, created, edited }: NewContent,
): unknown[] {
  return [type, name, location, data, "", 0, 0, 0, created.getTime(), edited, "", data.length, [username], id];
}

export function folderValues(
  head: EntryHead,
  owner: FileOwner,
  { now, children = [] }: { now: Date; children?: readonly string[] },
): unknown[] {
  return entryValues(head, owner, { data: children, created: now, edited: now.getTime() });
}

/** When a file was last changed, in Unix ms: as its sender reports, if that is between 1970 and now, or else now. */
export function editedAt(modified: number | undefined, now: Date): number {
  const isDate = modified !== undefined && Number.isSafeInteger(modified) && modified > 0 && modified <= now.getTime();
  return isDate ? modified : now.getTime();
}

/** Values as the stored text of an entry. */
export function entryText(values: readonly unknown[], isFirst = false): Buffer {
  return Buffer.from(`${isFirst ? "[" : ","}${JSON.stringify(values).slice(1, -1)}`);
}

/** A change of a text: `text` replaces its bytes `from` to `to`. */
export interface Splice {
  from: number;
  to: number;
  text: string;
}

/**
 * Applies splices to `bytes`, which begin at `offset` of the changed text. Returns the same object if nothing changes.
 * An insertion belongs to the byte at its position, so the pieces of a text can be changed one by one.
 */
export function spliced(bytes: Buffer, offset: number, splices: readonly Splice[]): Buffer {
  const end = offset + bytes.length;
  const parts: Buffer[] = [];
  let next = offset;
  for (const { from, to, text } of splices) {
    if (from >= end || Math.max(to, from + 1) <= offset) continue;
    parts.push(bytes.subarray(next - offset, Math.max(from, next) - offset));
    if (from >= offset) parts.push(Buffer.from(text));
    next = Math.min(Math.max(to, next), end);
  }
  return parts.length === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(next - offset)]);
}

const NULL = "null";

/** The change to a folder's list. Removing a missing id, or adding an existing one, changes nothing. */
export interface ListChange {
  add: readonly string[];
  remove: ReadonlySet<string>;
}

/**
 * Checks a folder's data as a stream: an array of strings, a string that contains such an array, or null or an empty
 * string for none (stored documents have all of these). Does not check that the ids are those of its children: an
 * entry's location says where it is, and outdated lists exist. Reports the splices for a planned change.
 */
export class ChildList {
  /** Whether the data so far can be such a list. */
  valid = true;
  /** Number of ids after the change. */
  count = 0;
  /** The splices to its text, in order. */
  readonly splices: Splice[] = [];
  private expected: "list" | "null" | "id or end" | "id" | "in id" | "comma or end" | "nothing" = "list";
  private letters = 0;
  private escaped = false;
  private id = "";
  /** Where the current id begins, where the last remaining one ends, and where removed ids begin and end. */
  private idFrom = 0;
  private remainingTo = 0;
  private removed: { from: number; to: number } | undefined;
  private readonly missing: Set<string>;
  private readonly string: JsonStringBytes | undefined;

  /** `inString`: the added JSON text is inside a string. */
  constructor(
    private readonly inString: boolean,
    private readonly change?: ListChange,
  ) {
    this.missing = new Set(change?.add);
    this.string = inString
      ? new JsonStringBytes(
          (byte, from, to) => this.next(byte, from, to),
          (at) => this.endString(at),
        )
      : undefined;
  }

  /** `offset`: position of the chunk's first byte in the text that the splices apply to. */
  add(chunk: Uint8Array, from: number, to: number, offset = 0): void {
    for (let i = from; i < to && this.valid; i++) {
      const byte = chunk[i] ?? 0;
      if (this.string) this.string.add(byte, offset + i);
      else this.next(byte, offset + i, offset + i + 1);
    }
  }

  isComplete(): boolean {
    return this.valid && this.expected === "nothing";
  }

  /** An empty string is an empty list. */
  private endString(at: number): void {
    if (this.expected === "list") this.end(at, at, true);
    else this.valid = this.isComplete();
  }

  /** `from` to `to`: the text that encodes `byte`. */
  private next(byte: number, from: number, to: number): void {
    const { expected } = this;
    if (expected === "in id") this.inId(byte, to);
    else if (expected === "null") this.letter(byte, from, to);
    else if (isBlank(byte)) return;
    else if (expected === "list" && byte === OPEN_ARRAY) {
      this.remainingTo = to;
      this.expected = "id or end";
    } else if (expected === "list" && !this.inString) this.letter(byte, from, to);
    else if ((expected === "id" || expected === "id or end") && byte === QUOTE) {
      this.id = "";
      this.idFrom = from;
      this.expected = "in id";
    } else if (expected === "comma or end" && byte === COMMA) this.expected = "id";
    else if ((expected === "comma or end" || expected === "id or end") && byte === CLOSE_ARRAY)
      this.end(from, from, false);
    else this.valid = false;
  }

  private letter(byte: number, from: number, to: number): void {
    if (this.letters === 0) this.idFrom = from;
    this.expected = "null";
    this.valid = byte === NULL.charCodeAt(this.letters++);
    if (this.valid && this.letters === NULL.length) this.end(this.idFrom, to, true);
  }

  private inId(byte: number, to: number): void {
    if (!this.escaped && byte === QUOTE) this.endId(to);
    else if (this.change && this.id.length <= MAX_ID) this.id += String.fromCharCode(byte);
    this.escaped = !this.escaped && byte === BACKSLASH;
  }

  private endId(to: number): void {
    this.expected = "comma or end";
    if (this.change?.remove.has(this.id)) {
      this.removed = { from: this.removed?.from ?? this.idFrom, to };
      return;
    }
    // Also removes the comma between the removed id and this one.
    if (this.removed) this.splices.push({ from: this.removed.from, to: this.idFrom, text: "" });
    this.removed = undefined;
    this.remainingTo = to;
    this.count++;
    this.missing.delete(this.id);
  }

  /** Additions replace `from` to `to`; with brackets if it has none. */
  private end(from: number, to: number, isBare: boolean): void {
    this.expected = "nothing";
    // Also removes the comma before it.
    if (this.removed) this.splices.push({ from: this.remainingTo, to: this.removed.to, text: "" });
    if (this.missing.size === 0) return;
    const quote = this.inString ? '\\"' : '"';
    const added = [...this.missing].map((id) => `${quote}${id}${quote}`).join(",");
    this.splices.push({ from, to, text: isBare ? `[${added}]` : this.count > 0 ? `,${added}` : added });
    this.count += this.missing.size;
  }
}
