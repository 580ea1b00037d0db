import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { parseQuery, pathSegment, single } from "@/lib/http/query";

const only = (query: string) => single(parseQuery(query), "data");

describe("a query string is read", () => {
  test("with + as a space and %2B as a plus", () => {
    expect(only("data=a+b%2Bc%20d")).toBe("a b+c d");
  });

  test("with all that follows the first = as the value", () => {
    expect(only("data=a=b==c")).toBe("a=b==c");
  });

  test("with an empty value, with or without =", () => {
    expect(only("data=")).toBe("");
    expect(only("data")).toBe("");
  });

  test("with an encoded name", () => {
    expect(only("%64ata=x")).toBe("x");
  });

  test("and empty pairs do not count", () => {
    expect(only("&&data=x&")).toBe("x");
    expect(only("")).toBeUndefined();
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
      { numRuns: 1_000 },
    );
  });
});

describe("a known parameter is refused", () => {
  test.each([
    ["a lone percent sign", "data=%"],
    ["half an escape", "data=%4"],
    ["an escape that is not hex", "data=%zz"],
    ["a byte that no UTF-8 starts with", "data=%ff"],
    ["an overlong slash", "data=%c0%af"],
    ["half a surrogate pair as UTF-8", "data=%ed%a0%80"],
    ["a cut character", "data=%e2%82"],
    ["U+FFFD", "data=%ef%bf%bd"],
    ["U+0000", "data=a%00b"],
    ["a raw lone surrogate", "data=\ud800"],
  ])("for %s", (_, query) => {
    expect(() => only(query)).toThrow(
      expect.objectContaining({ status: 400, code: "invalid_parameter", message: expect.stringContaining("data") }),
    );
  });

  test("when it is sent twice, even with equal values", () => {
    expect(() => only("data=x&data=x")).toThrow(expect.objectContaining({ status: 400, code: "duplicate_parameter" }));
  });

  test("when its aliases differ, and not when they agree", () => {
    const named = (query: string) => single(parseQuery(query), "username", ["user"]);
    expect(named("user=a")).toBe("a");
    expect(named("user=a&username=a")).toBe("a");
    expect(() => named("user=a&username=b")).toThrow(expect.objectContaining({ code: "invalid_parameter" }));
    expect(() => named("user=a&user=a")).toThrow(expect.objectContaining({ code: "duplicate_parameter" }));
  });

  test("and unknown parameters never are", () => {
    expect(only("data=x&other=%ff&other=%00&%zz=1")).toBe("x");
  });

  test("and nothing but these two refusals is ever thrown", () => {
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
      { numRuns: 2_000 },
    );
  });
});

describe("a segment of the path", () => {
  test("is decoded, and + stays a plus", () => {
    expect(pathSegment("id", "a%20b+c")).toBe("a b+c");
  });

  test.each(["%", "%ff", "%00", "%ed%b0%80"])("%s is refused by its name", (segment) => {
    expect(() => pathSegment("id", segment)).toThrow(
      expect.objectContaining({ status: 400, code: "invalid_parameter", message: expect.stringContaining("id") }),
    );
  });
});

test("only what is read is decoded: a stranger's long address takes no time", () => {
  const decode = vi.spyOn(globalThis, "decodeURIComponent");
  const query = parseQuery(`data=${"%41".repeat(80_000)}&${"%62".repeat(5_000)}=1&a%75th=%6C`);
  expect([single(query, "auth"), decode.mock.calls]).toEqual(["l", [["a%75th"], ["%6C"]]]);
  expect(single(query, "data")).toBe("A".repeat(80_000));
  decode.mockRestore();
});
