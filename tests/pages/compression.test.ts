import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { ask } from "@/tests/support/http";
import { makeUser } from "@/tests/support/user";

const BROWSER = { Accept: "text/html", "Accept-Encoding": "gzip, deflate, br, zstd" };
const COOKIE = { Cookie: "next-auth.session-token=somebody" };

let assets: string[];
beforeAll(async () => {
  const { text } = await ask("/link", { headers: { Accept: "text/html" } });
  assets = [...new Set(text.match(/\/_next\/static\/[\w./-]+\.(?:css|js)/g))];
});

test("every script and style of a page arrives in each form, equal after decompression", async () => {
  expect(assets.length).toBeGreaterThan(5);
  for (const path of assets) {
    const plain = await ask(path);
    expect([plain.status, plain.headers["content-encoding"], plain.headers.vary]).toEqual([
      200,
      undefined,
      "Accept-Encoding",
    ]);
    const brotli = await ask(path, { headers: BROWSER });
    const gzip = await ask(path, { headers: { "Accept-Encoding": "gzip" } });
    expect([brotli.headers["content-encoding"], gzip.headers["content-encoding"]]).toEqual(["br", "gzip"]);
    for (const name of ["content-type", "cache-control", "vary"] as const)
      expect([name, brotli.headers[name], gzip.headers[name]]).toEqual([
        name,
        plain.headers[name],
        plain.headers[name],
      ]);
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true);
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
  }
});

test("a part of an asset is a part of its plain form", async () => {
  const [path = ""] = assets;
  const part = await ask(path, { headers: { ...BROWSER, Range: "bytes=5-14" } });
  const plain = await ask(path);
  expect([part.status, part.headers["content-encoding"]]).toEqual([206, undefined]);
  expect(part.bytes).toEqual(plain.bytes.subarray(5, 15));
});

test.each([
  "/_next/static/%2e%2e/server.mjs",
  "/_next/static/..%2fserver.mjs",
  "/_next/static/chunks/../../server.mjs",
  "/_next/static/chunks",
  "/_next/static/chunks/nothing.js",
  "/_next/static/chunks/nothing.js.br",
  "/_next/compressed/chunks",
])("%s is not found", async (path) => expect((await ask(path, { headers: BROWSER })).status).toBe(404));

test("a page is compressed for a visitor without cookies", async () => {
  const { headers, bytes } = await ask("/link?code=KMTRWB", { headers: BROWSER });
  expect(headers).toMatchObject({ "content-encoding": "gzip", vary: expect.stringContaining("Accept-Encoding") });
  expect(gunzipSync(bytes).toString()).toMatch(/<!DOCTYPE html>.*KMTRWB.*<\/html>$/s);
});

test("with cookies, a page that another site caused is not", async () => {
  const own = await ask("/link", { headers: { ...BROWSER, ...COOKIE, "Sec-Fetch-Site": "none" } });
  expect(own.headers["content-encoding"]).toBe("gzip");
  for (const site of ["cross-site", "same-site"]) {
    const { headers, text } = await ask("/link", { headers: { ...BROWSER, ...COOKIE, "Sec-Fetch-Site": site } });
    expect([headers["content-encoding"], text.endsWith("</html>")]).toEqual([undefined, true]);
  }
});

test("what is no page is sent as it is", async () => {
  const { token } = await makeUser();
  for (const path of ["/health", `/keys/mine?auth=${token}`, "/api/auth/csrf"]) {
    const { status, headers, bytes } = await ask(path, { headers: BROWSER });
    expect([path, status, headers["content-encoding"]]).toEqual([path, 200, undefined]);
    expect(bytes.length).toBeGreaterThan(0);
  }
});

test.each(["/icon.svg", "/favicon.ico"])("%s is cached for a day", async (path) => {
  const { status, headers } = await ask(path, { headers: BROWSER });
  expect([status, headers["cache-control"]]).toEqual([200, "public, max-age=86400"]);
});
