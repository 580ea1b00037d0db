import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { routes } from "@/app/(api)/routes";
import { type Declaration, parametersOf } from "@/lib/api/declaration";
import { bearerToken } from "@/lib/api/endpoint";
import { readCursor, writeCursor } from "@/lib/platform/cursor";
import { ApiError } from "@/lib/platform/errors";
import { appliedPreference, preferredWait } from "@/lib/platform/http/headers";
import { parameterReader, parseQuery, pathSegment, single } from "@/lib/platform/http/query";
import { sized } from "@/tests/support/size";

const only = (query: string) => single(parseQuery(query), "data");

describe("a query string is read", () => {
  test.each([
    ["data=a+b%2Bc%20d", "a b+c d"],
    ["data=a=b==c", "a=b==c"],
    ["data=", ""],
    ["data", ""],
    ["%64ata=x", "x"],
    ["&&data=x&", "x"],
    ["", undefined],
  ])("%j as %j", (query, value) => {
    expect(only(query)).toBe(value);
  });

  test("without a prototype's names appearing in it", () => {
    const query = parseQuery("__proto__=1&constructor=2");
    expect(single(query, "__proto__")).toBe("1");
    expect(single(parseQuery("a=1"), "constructor")).toBeUndefined();
  });
});

test("whatever is sent, a value is well-formed text, or one of two refusals is thrown", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("%", "&", "=", "+", "data", "%00", "%ff", "%ed%a0%80", "\ud800"),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      try {
        const value = only(pieces.join(""));
        expect(value === undefined || (value.isWellFormed() && !/[\0\uFFFD]/.test(value))).toBe(true);
      } catch (error) {
        expect(error).toMatchObject({
          status: 400,
          code: expect.stringMatching(/^(?:invalid|duplicate)_parameter$/),
        });
      }
    }),
    { numRuns: sized(1_000, 20_000) },
  );
});

test("a segment of the path is decoded, and + stays a plus", () => {
  expect(pathSegment("id", "a%20b+c")).toBe("a b+c");
});

test("only what is read is decoded: a stranger's long address takes no time", () => {
  const decode = vi.spyOn(globalThis, "decodeURIComponent");
  const query = parseQuery(`data=${"%41".repeat(80_000)}&${"%62".repeat(5_000)}=1&a%75th=%6C`);
  expect([single(query, "auth"), decode.mock.calls]).toEqual(["l", [["a%75th"], ["%6C"]]]);
  expect(single(query, "data")).toBe("A".repeat(80_000));
  decode.mockRestore();
});

test("a header of blanks is no token, and is refused at once, however long", () => {
  // If the work grew with the square of its length, this would take a quarter of an hour.
  const headers = new Headers({ authorization: `Bearer a${" ".repeat(1_000_000)}a` });
  expect(() => bearerToken(parseQuery(""), headers)).toThrow("Invalid");
});

describe("Prefer", () => {
  const { signal } = new AbortController();
  const waitOf = (prefer?: string) =>
    preferredWait(new Headers(prefer === undefined ? {} : { Prefer: prefer }), 25, () => signal)?.seconds;

  test.each([
    ["wait=1", 1],
    ["wait=25", 25],
    ["wait=26", 25],
    [`wait=${"9".repeat(400)}`, 25],
    ["wait=007", 7],
    ["WAIT=7", 7],
    ['wait="7"', 7],
    ["wait = 7 ; some=thing", 7],
    ["respond-async, wait=7", 7],
    ['a="x, wait=3; \\", wait=4", wait=7', 7],
    ["wait=7, wait=9", 7],
  ])("%s", (prefer, seconds) => {
    expect(waitOf(prefer)).toBe(seconds);
  });

  test.each([
    undefined,
    "",
    ...'wait|wait=|wait=0|wait=-1|wait=1.5|wait=1e1|wait=+1|wait="7|wait=seven'.split("|"),
    ...["await=7", "waiting=7", "wait, wait=7", "x wait=7", `${"x,".repeat(600)}wait=7`],
  ])("%s is no wish", (prefer) => {
    expect(waitOf(prefer)).toBeUndefined();
  });

  test("that is sent twice is one", () => {
    const sent: [string, string][] = ["respond-async", "wait=7"].map((wish) => ["Prefer", wish]);
    expect(preferredWait(new Headers(sent), 25, () => signal)?.seconds).toBe(7);
  });

  test("is not said to be honoured where it was not", () => {
    const wait = { seconds: 7, signal, isHonoured: false };
    expect([appliedPreference(null), appliedPreference(wait)]).toEqual([{}, {}]);
    expect(appliedPreference({ ...wait, isHonoured: true })).toEqual({ "Preference-Applied": "wait=7" });
  });
});

/** Sentences of the library that checks parameters, which are about its own terms. */
const LIBRARYS = /Too (?:small|big)|Invalid|expected|received|undefined|\bregex\b|\bstring\b/i;

const ODD = [
  "",
  " ",
  "x",
  "x".repeat(5_000),
  "\n",
  "-1",
  "1e9",
  "\u202e",
  "\u200b",
  "é".repeat(300),
  "null",
  "{}",
  "[",
];

const parametersOfAll = Object.values(routes)
  .map(({ GET }) => GET.declaration as Declaration)
  .filter(({ parameters }) => parameters)
  .flatMap((declaration) =>
    parametersOf(declaration).map(({ name }) => [declaration.path, name, declaration] as const),
  );

test.each(parametersOfAll)("%s refuses a bad %s in a sentence of ours", (path, name, declaration) => {
  const read = parameterReader(declaration);
  for (const value of ODD) {
    const others = Object.entries(declaration.example.parameters ?? {}).filter(([other]) => other !== name);
    const query = new URLSearchParams([...others, [name, value]]).toString();
    const address = path.replaceAll(/\{(\w+)\}/g, (_, one) => (one === name ? encodeURIComponent(value) : "x"));
    try {
      read(address, parseQuery(query));
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      expect(thrown.message).not.toMatch(LIBRARYS);
      expect(thrown.message).toMatch(/^The parameter \w+ .+\.$/s);
    }
  }
});

const position = z.tuple([z.string(), z.int()]);

test("a cursor is read as what was written, in letters of an address", () => {
  const written = writeCursor(["ä?/+", 7]);
  expect(written).toMatch(/^[\w-]+$/);
  expect(readCursor(written, position)).toEqual(["ä?/+", 7]);
});

test.each([
  undefined,
  "",
  "x",
  writeCursor([]),
  writeCursor(["a", 1.5]),
  writeCursor(["a", 1, 2]),
  writeCursor(["a".repeat(4_000), 1]),
  btoa("null"),
])("%s is no position", (text) => expect(readCursor(text, position)).toBeUndefined());
