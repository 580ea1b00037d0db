import { MOST_ID } from "./entry-id";
import { BACKSLASH, CLOSE_ARRAY, COMMA, isBlank, OPEN_ARRAY, QUOTE } from "./json-text";
import type { Splice } from "./splices";
import { StringBytes } from "./string-bytes";

const NULL = "null";

/** How a folder's list is to become another. Removing what it does not name, or adding what it names, changes nothing. */
export interface ListChange {
  add: readonly string[];
  remove: ReadonlySet<string>;
}

/**
 * Checks a folder's data as it passes: an array of strings, a string that holds such an array, or null or an empty string for
 * none (all are found in stored documents). Whether they are the ids of its children is not asked: an entry's location says
 * where it is, and lists that are out of date exist. Says how the text is to change, where the list is to.
 */
export class ChildList {
  /** Whether what passed so far can be such a list. */
  valid = true;
  /** How many ids it holds, after its change. */
  count = 0;
  /** What changes its text, in order. */
  readonly splices: Splice[] = [];
  private expected: "list" | "null" | "id or end" | "id" | "in id" | "comma or end" | "nothing" = "list";
  private letters = 0;
  private escaped = false;
  private id = "";
  /** Where the id that is read begins, the last one that stays ends, and ids begin and end that go. */
  private idFrom = 0;
  private keptTo = 0;
  private gone: { from: number; to: number } | undefined;
  private readonly missing: Set<string>;
  private readonly string: StringBytes | undefined;

  /** `inString`: the JSON text that is added is that of a string. */
  constructor(
    private readonly inString: boolean,
    private readonly change?: ListChange,
  ) {
    this.missing = new Set(change?.add);
    this.string = inString
      ? new StringBytes(
          (byte, from, to) => this.next(byte, from, to),
          (at) => this.endString(at),
        )
      : undefined;
  }

  /** `offset`: of the chunk's first byte in the text that the splices are for. */
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

  /** A string that holds nothing is an empty list. */
  private endString(at: number): void {
    if (this.expected === "list") this.end(at, at, true);
    else this.valid = this.isComplete();
  }

  /** `from` to `to`: what stands for `byte` in the text. */
  private next(byte: number, from: number, to: number): void {
    const { expected } = this;
    if (expected === "in id") this.inId(byte, to);
    else if (expected === "null") this.letter(byte, from, to);
    else if (isBlank(byte)) return;
    else if (expected === "list" && byte === OPEN_ARRAY) {
      this.keptTo = to;
      this.expected = "id or end";
    } else if (expected === "list" && !this.inString) this.letter(byte, from, to);
    else if ((expected === "id" || expected === "id or end") && byte === QUOTE) {
      this.id = "";
      this.idFrom = from;
      this.expected = "in id";
    } else if (expected === "comma or end" && byte === COMMA) this.expected = "id";
    else if ((expected === "comma or end" || expected === "id or end") && byte === CLOSE_ARRAY) this.end(from, from, false);
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
    else if (this.change && this.id.length <= MOST_ID) this.id += String.fromCharCode(byte);
    this.escaped = !this.escaped && byte === BACKSLASH;
  }

  private endId(to: number): void {
    this.expected = "comma or end";
    if (this.change?.remove.has(this.id)) {
      this.gone = { from: this.gone?.from ?? this.idFrom, to };
      return;
    }
    // The comma between what goes and this one goes too.
    if (this.gone) this.splices.push({ from: this.gone.from, to: this.idFrom, text: "" });
    this.gone = undefined;
    this.keptTo = to;
    this.count++;
    this.missing.delete(this.id);
  }

  /** What is added comes in place of `from` to `to`; with brackets, where it has none. */
  private end(from: number, to: number, isBare: boolean): void {
    this.expected = "nothing";
    // The comma before it, as well.
    if (this.gone) this.splices.push({ from: this.keptTo, to: this.gone.to, text: "" });
    if (this.missing.size === 0) return;
    const quote = this.inString ? '\\"' : '"';
    const added = [...this.missing].map((id) => `${quote}${id}${quote}`).join(",");
    this.splices.push({ from, to, text: isBare ? `[${added}]` : this.count > 0 ? `,${added}` : added });
    this.count += this.missing.size;
  }
}
