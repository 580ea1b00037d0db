import fc from "fast-check";
import { expect, test } from "vitest";
import { type Elements, JsonScanner, type Kind } from "@/lib/files/document/json-scanner";

/** The elements of an array as the scanner hears them, in chunks of `size` bytes; "refused" where it refuses. */
function scan(bytes: Uint8Array, size: number): { kind: Kind; text: string }[] | "refused" {
  const heard: { kind: Kind; text: string }[] = [];
  let part: Buffer[] = [];
  let kind: Kind = "null";
  const elements: Elements = {
    begin: (next) => {
      kind = next;
    },
    text: (chunk, from, to) => part.push(Buffer.from(chunk.subarray(from, to))),
    end: () => {
      heard.push({ kind, text: Buffer.concat(part).toString() });
      part = [];
    },
    refuse: (why) => {
      throw new SyntaxError(why);
    },
  };
  const scanner = new JsonScanner(elements);
  try {
    for (let from = 0; from < bytes.length; from += size) scanner.push(bytes.subarray(from, from + size));
    scanner.finish();
  } catch (error) {
    if (error instanceof SyntaxError) return "refused";
    throw error;
  }
  return heard;
}

/** What the language's own parser says of the same bytes. */
function parse(bytes: Uint8Array): unknown[] | "refused" {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    return Array.isArray(value) ? value : "refused";
  } catch {
    return "refused";
  }
}

function kindOf(value: unknown): Kind {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as Kind;
}

function expectTheSame(bytes: Uint8Array, size: number): void {
  const expected = parse(bytes);
  const heard = scan(bytes, size);
  if (expected === "refused" || heard === "refused") expect(heard).toBe(expected);
  else {
    expect(heard.map(({ text }): unknown => JSON.parse(text))).toEqual(expected);
    expect(heard.map(({ kind }) => kind)).toEqual(expected.map(kindOf));
  }
}

const array = fc
  .tuple(fc.array(fc.jsonValue({ maxDepth: 4, stringUnit: "binary" })), fc.constantFrom(undefined, 2, "\t"))
  .map(([value, space]) => JSON.stringify(value, null, space));

test("Every array is read as the language's own parser reads it, in whatever chunks it comes", () => {
  fc.assert(
    fc.property(array, fc.integer({ min: 1, max: 40 }), (text, size) => expectTheSame(Buffer.from(text), size)),
    { numRuns: 500 },
  );
});

test("Whatever is changed in it, both refuse or neither does", () => {
  const bytes = fc.constantFrom(
    ...Buffer.from('[]{},:"\\ \n\t0159.eE+-truefalsnu/b'),
    0,
    0x1f,
    0x7f,
    0x80,
    0xa0,
    0xbf,
    0xc0,
    0xc3,
    0xe0,
    0xed,
    0xef,
    0xf0,
    0xf4,
    0xf5,
    0xff,
  );
  const edit = fc.record({ at: fc.nat(), remove: fc.nat(2), insert: fc.array(bytes, { maxLength: 3 }) });
  fc.assert(
    fc.property(
      array,
      fc.array(edit, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 10 }),
      (text, edits, size) => {
        const changed = [...Buffer.from(text)];
        for (const { at, remove, insert } of edits) changed.splice(at % (changed.length + 1), remove, ...insert);
        expectTheSame(Uint8Array.from(changed), size);
      },
    ),
    { numRuns: 3_000 },
  );
});
