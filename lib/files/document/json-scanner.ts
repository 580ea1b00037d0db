import * as json from "./json-string";
import { JsonString } from "./json-string";

export type Kind = "string" | "number" | "array" | "object" | "boolean" | "null";

/** Gets the elements of the outermost array, in order. */
export interface Elements {
  begin(kind: Kind): void;
  /**
   * The next part of the element's JSON text, as received except for whitespace between tokens: the bytes `from` to
   * `to` of `chunk`.
   */
  text(chunk: Uint8Array, from: number, to: number): void;
  end(): void;
  /** The text is not a JSON array. Must throw. */
  refuse(why: string): never;
}

const MAX_DEPTH = 100;
const LITERALS = new Map<number, { rest: string; kind: Kind }>([
  [0x74, { rest: "rue", kind: "boolean" }],
  [0x66, { rest: "alse", kind: "boolean" }],
  [0x6e, { rest: "ull", kind: "null" }],
]);

type Expected =
  | "array"
  | "value"
  | "value or end"
  | "name"
  | "name or end"
  | "colon"
  | "comma or end"
  | "nothing"
  | "more string"
  | "more number"
  | "more literal";

/**
 * Reads a JSON array that may be larger than memory, strictly (RFC 8259, including the UTF-8 of its strings), chunk by
 * chunk, and buffers nothing.
 */
export class JsonScanner {
  private expected: Expected = "array";
  /** The open brackets, outermost first. */
  private readonly open: number[] = [];
  private isName = false;
  private readonly string = new JsonString((i, isBroken) => this.unexpected(i, isBroken));
  private number: json.NumberPart = "minus";
  private literal = "";
  /** Bytes of the chunks before this one. */
  private before = 0;

  constructor(private readonly elements: Elements) {}

  push(chunk: Uint8Array): void {
    for (let i = 0; i < chunk.length; ) i = this.run(chunk, i);
    this.before += chunk.length;
  }

  /** Marks the end of the input. */
  finish(): void {
    if (this.expected !== "nothing")
      this.elements.refuse(this.before === 0 ? "it is empty" : `it ends too early, after ${this.before} bytes`);
  }

  /** Reads one token, or as much of it as the chunk contains, and returns where the next begins. */
  private run(chunk: Uint8Array, i: number): number {
    if (this.expected === "more string") return this.text(chunk, i);
    if (this.expected === "more number") return this.numeral(chunk, i);
    if (this.expected === "more literal") return this.word(chunk, i);
    const byte = chunk[i] ?? 0;
    if (!json.isBlank(byte)) this.token(chunk, i, byte);
    return i + 1;
  }

  private token(chunk: Uint8Array, i: number, byte: number): void {
    const { expected, open } = this;
    const innermost = open.at(-1);
    if (
      byte === json.CLOSE_ARRAY &&
      innermost === json.OPEN_ARRAY &&
      (expected === "value or end" || expected === "comma or end")
    )
      this.close(chunk, i);
    else if (
      byte === json.CLOSE_OBJECT &&
      innermost === json.OPEN_OBJECT &&
      (expected === "name or end" || expected === "comma or end")
    )
      this.close(chunk, i);
    else if (expected === "value" || expected === "value or end") this.value(chunk, i, byte);
    else if (expected === "array" && byte === json.OPEN_ARRAY) {
      open.push(byte);
      this.expected = "value or end";
    } else if ((expected === "name" || expected === "name or end") && byte === json.QUOTE) {
      this.isName = true;
      this.pass(chunk, i, "more string");
    } else if (expected === "colon" && byte === json.COLON) this.pass(chunk, i, "value");
    else if (expected === "comma or end" && byte === json.COMMA) {
      if (open.length > 1) this.elements.text(chunk, i, i + 1);
      this.expected = innermost === json.OPEN_ARRAY ? "value" : "name";
    } else this.unexpected(i);
  }

  private value(chunk: Uint8Array, i: number, byte: number): void {
    const literal = LITERALS.get(byte);
    const number = json.numberBegin(byte);
    if (byte === json.QUOTE) this.begin(chunk, i, "string", "more string");
    else if (literal) {
      this.literal = literal.rest;
      this.begin(chunk, i, literal.kind, "more literal");
    } else if (number) {
      this.number = number;
      this.begin(chunk, i, "number", "more number");
    } else if (byte === json.OPEN_ARRAY || byte === json.OPEN_OBJECT) {
      const isArray = byte === json.OPEN_ARRAY;
      this.begin(chunk, i, isArray ? "array" : "object", isArray ? "value or end" : "name or end");
      if (this.open.push(byte) > MAX_DEPTH) this.elements.refuse(`it nests deeper than ${MAX_DEPTH} levels`);
    } else this.unexpected(i);
  }

  private begin(chunk: Uint8Array, i: number, kind: Kind, next: Expected): void {
    if (this.open.length === 1) this.elements.begin(kind);
    this.pass(chunk, i, next);
  }

  private pass(chunk: Uint8Array, i: number, next: Expected): void {
    this.elements.text(chunk, i, i + 1);
    this.expected = next;
    if (next === "more string") this.string.begin();
  }

  private close(chunk: Uint8Array, i: number): void {
    this.open.pop();
    if (this.open.length === 0) this.expected = "nothing";
    else {
      this.elements.text(chunk, i, i + 1);
      this.ended();
    }
  }

  private ended(): void {
    this.expected = "comma or end";
    if (this.open.length === 1) this.elements.end();
  }

  private text(chunk: Uint8Array, from: number): number {
    const to = this.string.read(chunk, from);
    this.elements.text(chunk, from, to);
    if (!this.string.isComplete) return to;
    if (this.isName) this.expected = "colon";
    else this.ended();
    this.isName = false;
    return to;
  }

  private numeral(chunk: Uint8Array, from: number): number {
    let i = from;
    for (; i < chunk.length; i++) {
      const next = json.numberNext(this.number, chunk[i] ?? 0);
      if (!next) break;
      this.number = next;
    }
    this.elements.text(chunk, from, i);
    if (i === chunk.length) return i;
    if (!json.numberMayEnd(this.number)) this.unexpected(i);
    this.ended();
    return i;
  }

  private word(chunk: Uint8Array, i: number): number {
    if (chunk[i] !== this.literal.charCodeAt(0)) this.unexpected(i);
    this.literal = this.literal.slice(1);
    this.elements.text(chunk, i, i + 1);
    if (this.literal === "") this.ended();
    return i + 1;
  }

  private unexpected(i: number, isBroken = false): never {
    if (this.expected === "array") this.elements.refuse("it does not begin with [");
    const encoding = isBroken ? ", which is not UTF-8: save it again with the encoding UTF-8" : "";
    this.elements.refuse(`there is something wrong at byte ${this.before + i + 1}${encoding}`);
  }
}
