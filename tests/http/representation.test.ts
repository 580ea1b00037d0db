import { describe, expect, test } from "vitest";
import { accepts, clientHas, isNamed } from "@/lib/platform/http/headers";
import { parseRange, rangeApplies, representationResponse } from "@/lib/platform/http/representation";

describe("Accept-Encoding (RFC 9110, section 12.5.3)", () => {
  test.each([
    [null, false],
    ["", false],
    ["gzip", true],
    ["GZip, deflate, br", true],
    ["x-gzip", true],
    ["*", true],
    ["deflate, br", false],
    ["gzip;q=0", false],
    ["gzip ; q = 0.000", false],
    ["gzip;q=0, *", false],
    ["*;q=0", false],
    ["gzip;q=0.5", true],
    ["gzip;q=0.5, identity;q=0.6", false],
    ["gzip;q=0.6, identity;q=0.5", true],
    ["identity", false],
    ["identity;q=0, *;q=0.1", true],
    ["gzip;q=2", false],
    ["gzip;q=x", false],
    ["not-gzip", false],
    ["identity, gzip", true],
    ["identity;q=0.5, *;q=0.7", true],
    ["identity;q=0", false],
  ])("%s: %s", (header, expected) => expect(accepts("gzip", header)).toBe(expected));

  test.each([
    ["gzip, deflate, br", true],
    ["br;q=0.1", true],
    ["br;q=0, *", false],
    ["*", true],
    ["brotli", false],
    ["gzip", false],
  ])("%s, Brotli: %s", (header, expected) => expect(accepts("br", header)).toBe(expected));

  test.each([
    ["100,000 codings", "a,".repeat(100_000)],
    ["100,000 different codings", Array.from({ length: 100_000 }, (_, n) => n.toString(36)).join(",")],
    ["200,000 parameters", `gzip${";".repeat(200_000)}`],
    ["a weight that does not end", `gzip;q${" ".repeat(200_000)}x`],
  ])("%s are read at once", (_, header) => {
    // If the work grew with the square of their length, this would take hours.
    expect(accepts("gzip", header)).toBe(header.startsWith("gzip"));
  });
});

describe("Range (RFC 9110, section 14.1.2), of 1000 bytes", () => {
  test.each([
    [null, "all"],
    ["bytes=0-99", { first: 0, last: 99 }],
    ["Bytes= 0-99 ", { first: 0, last: 99 }],
    ["bytes=999-", { first: 999, last: 999 }],
    ["bytes=5-5", { first: 5, last: 5 }],
    ["bytes=0-99999999999999999999", { first: 0, last: 999 }],
    ["bytes=-1", { first: 999, last: 999 }],
    ["bytes=-5000", { first: 0, last: 999 }],
    ["bytes=1000-", "unsatisfiable"],
    ["bytes=99999999999999999999-", "unsatisfiable"],
    ["bytes=-0", "unsatisfiable"],
    ["bytes=9-5", "all"],
    ["bytes=-", "all"],
    ["bytes=", "all"],
    ["bytes=0-1,5-6", "all"],
    ["items=0-5", "all"],
    ["bytes=a-b", "all"],
    ["bytes=0x1-2", "all"],
    ["bytes=1.5-2", "all"],
    ["0-5", "all"],
  ])("%s", (header, expected) => expect(parseRange(header, 1000)).toEqual(expected));
});

describe("If-None-Match and If-Range (RFC 9110, section 13.1)", () => {
  test.each([
    [null, false],
    ['"a"', true],
    ['W/"a"', true],
    ['"b", W/"c" , "a"', true],
    ["*", true],
    ['"b"', false],
    ["a", false],
    ['"a', false],
    ['"x,"a"', false],
    ['"A"', false],
    ["", false],
  ])("%s: the client has it: %s", (header, expected) => expect(clientHas(header, '"a"')).toBe(expected));

  test.each([
    [{ "If-Range": '"a"' }, true],
    [{ "If-Range": 'W/"a"' }, false],
    [{ "If-Range": '"b"' }, false],
    [{ "If-Range": "Sat, 29 Oct 2022 19:43:31 GMT" }, false],
    [{ "If-Range": "*" }, false],
    [{ "If-Match": '"a"' }, true],
    [{ "If-Match": "*" }, false],
    [{ "If-Match": '"a"', "If-Range": '"b"' }, false],
    [{ "If-Unmodified-Since": "Sat, 29 Oct 2032 19:43:31 GMT" }, false],
    [{}, false],
  ] as [Record<string, string>, boolean][])("%j: the range applies: %s", (headers, expected) =>
    expect(rangeApplies(new Headers(headers), '"a"', false)).toBe(expected),
  );

  test("without a tag, it applies to what is settled; with another one, to nothing", () => {
    expect(rangeApplies(new Headers(), '"a"', true)).toBe(true);
    expect(rangeApplies(new Headers({ "If-Range": '"b"' }), '"a"', true)).toBe(false);
  });

  test.each([
    ['"a"', true],
    ['"b", "a"', true],
    ["*", true],
    ['W/"a"', false],
    ['"b"', false],
    ["a", false],
    ["", false],
  ])("If-Match: %s names it: %s", (header, expected) => expect(isNamed(header, '"a"')).toBe(expected));
});

describe("A response whose body is known beforehand", () => {
  async function* bytes(first = 0, last = 9) {
    yield Buffer.from("0123456789").subarray(first, last + 1);
  }
  const ask = (headers: Record<string, string>, more: { ranges?: boolean; bytes?: typeof bytes } = {}) =>
    representationResponse(new Headers(headers), {
      ...{ etag: '"a"', length: 10, headers: { "X-Own": "yes" }, bytes, ranges: true, isSettled: false },
      ...more,
    });
  const told = async (answer: Response, ...names: string[]) => [
    answer.status,
    await answer.text(),
    ...names.map((name) => answer.headers.get(name)),
  ];

  test("is whole where it changed since the part before was sent, and where parts are not offered", async () => {
    expect(await told(ask({ range: "bytes=2-4", "if-range": '"b"' }))).toEqual([200, "0123456789"]);
    const answer = ask({ range: "bytes=2-4" }, { ranges: false });
    expect(await told(answer, "accept-ranges")).toEqual([200, "0123456789", null]);
  });

  test("is whole where nobody says of what the part before was", async () => {
    for (const range of ["bytes=2-4", "bytes=0-3", "bytes=-1", "bytes=10-"])
      expect(await told(ask({ range }), "content-range")).toEqual([200, "0123456789", null]);
    expect(await told(ask({ range: "bytes=2-4", "if-match": '"a"' }))).toEqual([206, "234"]);
  });

  test("is refused if the client wants another one, or would append the end of it to what it has", () => {
    expect(() => ask({ "if-match": '"b"' })).toThrow(expect.objectContaining({ status: 412 }));
    const wget = { "user-agent": "Wget/1.21.3" };
    expect(() => ask({ ...wget, range: "bytes=5-" })).toThrow(expect.objectContaining({ status: 412 }));
    expect(() => ask({ ...wget, range: "bytes=5-", "if-range": '"b"' })).toThrow(
      expect.objectContaining({ status: 412 }),
    );
    expect(ask({ ...wget, range: "bytes=5-", "if-range": '"a"' }).status).toBe(206);
    expect(ask(wget).status).toBe(200);
  });

  test("produces nothing before it is read, and is cut off if producing it fails", async () => {
    let made = 0;
    async function* failing() {
      made++;
      yield Buffer.from("01");
      throw new Error("broken");
    }
    const answer = ask({}, { bytes: failing });
    await new Promise((done) => setTimeout(done, 20));
    expect(made).toBe(0);
    await expect(answer.text()).rejects.toThrow("broken");
  });
});
