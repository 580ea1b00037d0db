import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { inSlices, scanEntries } from "@/lib/files/change/scan";
import { type Elements, JsonScanner, type Kind } from "@/lib/files/document/json-scanner";
import { MAX } from "@/lib/files/pieces/gzip";
import { idOf, wildEntry } from "@/tests/support/documents";
import { sized } from "@/tests/support/size";

/** The elements of an array as the scanner hears them, in chunks of `size` bytes; "refused" where it refuses. */
function scan(bytes: Uint8Array, size: number): { kind: Kind; text: string }[] | "refused" {
  const events: { kind: Kind; text: string }[] = [];
  let part: Buffer[] = [];
  let kind: Kind = "null";
  const elements: Elements = {
    begin: (next) => {
      kind = next;
    },
    text: (chunk, from, to) => part.push(Buffer.from(chunk.subarray(from, to))),
    end: () => {
      events.push({ kind, text: Buffer.concat(part).toString() });
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
  return events;
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
  const events = scan(bytes, size);
  if (expected === "refused" || events === "refused") expect(events).toBe(expected);
  else {
    expect(events.map(({ text }): unknown => JSON.parse(text))).toEqual(expected);
    expect(events.map(({ kind }) => kind)).toEqual(expected.map(kindOf));
  }
}

const array = fc
  .tuple(fc.array(fc.jsonValue({ maxDepth: 4, stringUnit: "binary" })), fc.constantFrom(undefined, 2, "\t"))
  .map(([value, space]) => JSON.stringify(value, null, space));

test("every array is read as the language's own parser reads it, in whatever chunks it comes", () => {
  fc.assert(
    fc.property(array, fc.integer({ min: 1, max: 40 }), (text, size) => expectTheSame(Buffer.from(text), size)),
    { numRuns: sized(200, 5_000) },
  );
});

test("whatever is changed in it, both refuse or neither does", () => {
  const wrong = ["[01]", "[1.]", "[1e+]", "[NaN]", "[nul]", "['x']", '["a\nb"]', '["\\x41"]', '["\\u12g4"]', "[{1:2}]"];
  for (const text of [...wrong, "[[1}]", '[{"a" 1}]']) expectTheSame(Buffer.from(text), 1);
  // No UTF-8, a surrogate in UTF-8, an overlong character.
  for (const bytes of ["c328", "eda080", "c0af"]) expectTheSame(Buffer.from(`5b22${bytes}225d`, "hex"), 1);

  const characters = Buffer.from('[]{},:"\\ \n\t0159.eE+-truefalsnu/b');
  const bytes = fc.constantFrom(...characters, ...Buffer.from("001f7f80a0bfc0c3e0edeff0f4f5ff", "hex"));
  const edit = fc.record({ at: fc.nat(), remove: fc.nat(2), insert: fc.array(bytes, { maxLength: 3 }) });
  const edits = fc.array(edit, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(array, edits, fc.integer({ min: 1, max: 10 }), (text, edits, size) => {
      const changed = [...Buffer.from(text)];
      for (const { at, remove, insert } of edits) changed.splice(at % (changed.length + 1), remove, ...insert);
      expectTheSame(Uint8Array.from(changed), size);
    }),
    { numRuns: sized(1_000, 30_000) },
  );
});

describe("others have their turn", () => {
  const MAX_BYTES = 8 * 1024;
  afterEach(() => void vi.restoreAllMocks());

  /** How many turns of the event loop `work` leaves to others: at each look at the clock, ten milliseconds are over. */
  async function turnsOf(work: () => Promise<unknown>): Promise<number> {
    let now = performance.now();
    vi.spyOn(performance, "now").mockImplementation(() => {
      now += 10;
      return now;
    });
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await work();
    isOver = true;
    return turns;
  }

  test("every 8 KB while a full piece of the smallest entries is scanned", async () => {
    const entry = (n: number) => `,${JSON.stringify(wildEntry(".txt", "", "o", "", idOf(n))).slice(1, -1)}`;
    const text = Buffer.from(Array.from({ length: 3_000 }, (_, n) => entry(n)).join("")).subarray(0, MAX);
    const complete = text.subarray(0, text.lastIndexOf(',".txt"'));
    const actual: unknown[] = [];
    const turns = await turnsOf(async () => actual.push(...(await scanEntries(complete))));
    expect(actual).toHaveLength(complete.toString().split('".txt"').length - 1);
    // Of two looks at the clock, the first begins the turn.
    expect(turns).toBeGreaterThanOrEqual(Math.floor(complete.length / (2 * MAX_BYTES)));
  });

  test("between slices of a text, none longer than 8 KB, which together are the text", async () => {
    const text = Buffer.alloc(100_001, "text");
    const slices: Uint8Array[] = [];
    for await (const slice of inSlices(text)) slices.push(slice);
    expect(Math.max(...slices.map(({ length }) => length))).toBe(MAX_BYTES);
    expect(Buffer.concat(slices).equals(text)).toBe(true);
  });
});
