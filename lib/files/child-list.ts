import { BACKSLASH, CLOSE_ARRAY, COMMA, isBlank, isHex, OPEN_ARRAY, QUOTE } from "./json-text";
import type { Splice } from "./splices";

const ID_DIGITS = 32;

/** How a folder's list is to become another. Removing what it does not name, or adding what it names, changes nothing. */
export interface ListChange {
  add: readonly string[];
  remove: ReadonlySet<string>;
}

/**
 * Checks a folder's data as it passes: an array of ids, or a string that holds such an array (both are found in stored
 * documents). Whether the ids are those of its children is not asked: an entry's location says where it is, and lists
 * that are out of date exist. Says how the text is to change, where the list is to.
 */
export class ChildList {
  /** Whether what passed so far can be such a list. */
  valid = true;
  /** How many ids it holds, after its change. */
  count = 0;
  /** What changes its text, in order. */
  readonly splices: Splice[] = [];
  private expected: "list" | "id or end" | "id" | "digit" | "comma or end" | "nothing" = "list";
  private digits = 0;
  private escaped = false;
  private isFirst = true;
  private id = "";
  /** Where the id that is read begins, the last one that stays ends, and ids begin and end that go. */
  private idFrom = 0;
  private keptTo = 0;
  private gone: { from: number; to: number } | undefined;
  private readonly missing: Set<string>;

  /** `inString`: the JSON text that is added is that of a string. */
  constructor(
    private readonly inString: boolean,
    private readonly change?: ListChange,
  ) {
    this.missing = new Set(change?.add);
  }

  /** `offset`: of the chunk's first byte in the text that the splices are for. */
  add(chunk: Uint8Array, from: number, to: number, offset = 0): void {
    for (let i = from; i < to && this.valid; i++) {
      const byte = chunk[i] ?? 0;
      if (this.inString) this.unescaped(byte, offset + i);
      else this.next(byte, offset + i);
    }
  }

  isComplete(): boolean {
    return this.valid && this.expected === "nothing";
  }

  /** The quotes around the string are not the list's; inside it every quote is escaped, as blanks may be. */
  private unescaped(byte: number, at: number): void {
    if (this.escaped) {
      this.escaped = false;
      if (byte === QUOTE) this.next(QUOTE, at);
      else this.valid = byte === 0x6e || byte === 0x72 || byte === 0x74;
    } else if (byte === BACKSLASH) this.escaped = true;
    else if (byte === QUOTE) this.valid = this.isFirst || this.isComplete();
    else this.next(byte, at);
    this.isFirst = false;
  }

  private next(byte: number, at: number): void {
    const { expected } = this;
    if (expected === "digit") {
      if (byte === QUOTE && this.digits === ID_DIGITS) this.endId(at + 1);
      else this.digit(byte);
    } else if (isBlank(byte)) return;
    else if (expected === "list" && byte === OPEN_ARRAY) {
      this.keptTo = at + 1;
      this.expected = "id or end";
    } else if ((expected === "id" || expected === "id or end") && byte === QUOTE) {
      this.digits = 0;
      this.id = "";
      this.idFrom = this.inString ? at - 1 : at;
      this.expected = "digit";
    } else if (expected === "comma or end" && byte === COMMA) this.expected = "id";
    else if ((expected === "comma or end" || expected === "id or end") && byte === CLOSE_ARRAY) this.end(at);
    else this.valid = false;
  }

  private digit(byte: number): void {
    this.valid = isLowerHex(byte) && ++this.digits <= ID_DIGITS;
    if (this.change) this.id += String.fromCharCode(byte);
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

  private end(at: number): void {
    this.expected = "nothing";
    // The comma before it, as well.
    if (this.gone) this.splices.push({ from: this.keptTo, to: this.gone.to, text: "" });
    if (this.missing.size === 0) return;
    const quote = this.inString ? '\\"' : '"';
    const added = [...this.missing].map((id) => `${quote}${id}${quote}`).join(",");
    this.splices.push({ from: at, to: at, text: this.count > 0 ? `,${added}` : added });
    this.count += this.missing.size;
  }
}

function isLowerHex(byte: number): boolean {
  return isHex(byte) && (byte < 0x41 || byte > 0x46);
}
