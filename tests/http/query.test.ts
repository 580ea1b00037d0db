import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { parseQuery, pathSegment, single } from "@/lib/platform/http/query";
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

  test("and any well-formed text comes back as it was sent", () => {
    const text = fc.string({ unit: "binary" }).filter((value) => !/[\0\uFFFD]/.test(value));
    fc.assert(
      fc.property(text, fc.boolean(), (value, asForm) => {
        const encoded = asForm ? new URLSearchParams({ data: value }).toString() : `data=${encodeURIComponent(value)}`;
        expect(only(encoded)).toBe(value);
      }),
      { numRuns: sized(500, 10_000) },
    );
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
