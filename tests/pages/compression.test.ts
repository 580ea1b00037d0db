import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { ask } from "@/tests/support/http";

// What the real build and its lanes make of it: tests/server has every case of both ways to compress.
const BROWSER = { Accept: "text/html", "Accept-Encoding": "gzip, deflate, br, zstd" };
const COOKIE = { Cookie: "next-auth.session-token=somebody" };
const SHARED = ["content-type", "cache-control", "vary"] as const;

test("every script and style of a page arrives in each form, equal after decompression", async () => {
  const { text: html } = await ask("/link", { headers: { Accept: "text/html" } });
  const assets = [...new Set(html.match(/\/_next\/static\/[\w./-]+\.(?:css|js)/g))];
  expect(assets.length).toBeGreaterThan(5);
  for (const path of assets) {
    const plain = await ask(path);
    const brotli = await ask(path, { headers: BROWSER });
    const gzip = await ask(path, { headers: { "Accept-Encoding": "gzip" } });
    const codings = [plain, brotli, gzip].map(({ headers }) => headers["content-encoding"]);
    expect([plain.status, plain.headers.vary, ...codings]).toEqual([200, "Accept-Encoding", undefined, "br", "gzip"]);
    for (const { headers } of [brotli, gzip])
      for (const name of SHARED) expect(headers[name], name).toBe(plain.headers[name]);
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true);
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
  }
  for (const nothing of ["%2e%2e/server.mjs", "..%2fserver.mjs", "chunks/../../server.mjs", "chunks/nothing.js.br"])
    expect((await ask(`/_next/static/${nothing}`, { headers: BROWSER })).status, nothing).toBe(404);
});

test("a page is compressed, unless another site causes it with cookies", async () => {
  const { headers, bytes } = await ask("/link?code=KMTRWB", { headers: BROWSER });
  expect(headers).toMatchObject({ "content-encoding": "gzip", vary: expect.stringContaining("Accept-Encoding") });
  expect(gunzipSync(bytes).toString()).toMatch(/<!DOCTYPE html>.*KMTRWB.*<\/html>$/s);
  const other = await ask("/link", { headers: { ...BROWSER, ...COOKIE, "Sec-Fetch-Site": "cross-site" } });
  expect([other.headers["content-encoding"], other.text.endsWith("</html>")]).toEqual([undefined, true]);
});

test.each([
  ["/icon.svg", "image/svg+xml"],
  ["/favicon.ico", "image/x-icon"],
])("%s is cached for a day", async (path, type) => {
  const { status, headers } = await ask(path, { headers: BROWSER });
  expect([status, headers["content-type"], headers["cache-control"]]).toEqual([200, type, "public, max-age=86400"]);
});
