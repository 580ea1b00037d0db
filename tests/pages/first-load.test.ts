import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { ask, origin } from "@/tests/support/http";
import { newVisitor } from "./visitor";

/** Bytes of gzip. An empty page of this Next has about 135,000. */
const MAX_SCRIPT = 180_000;
/**
 * Bytes of everything as it is sent, with headers. The framework and the typeface are 144,000 of it; the nonces of a
 * remembered page, which are not compressed, 1,900.
 */
const MAX_SENT = 182_000;

// Whatever one page has loaded, the next one loads again.
const { page, context } = await newVisitor(undefined, { viewport: { width: 375, height: 700 } });
const line = await context.newCDPSession(page);
await line.send("Network.enable");
await line.send("Network.setCacheDisabled", { cacheDisabled: true });
let sent = 0;
let loading: Promise<{ url: string; type: string; body: Buffer }>[] = [];
/** Under load, Chromium asks for this one, too, whatever icon the page names. */
const ICON = "/favicon.ico";
const paths = new Map<string, string>();
let parts: [path: string, bytes: number][] = [];
line.on("Network.requestWillBeSent", ({ requestId, request }) => {
  paths.set(requestId, new URL(request.url).pathname);
});
line.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
  const path = paths.get(requestId) ?? "";
  parts.push([path, encodedDataLength]);
  if (path !== ICON) sent += encodedDataLength;
});
page.on("response", (response) => {
  if (response.request().method() !== "GET") return;
  const [url, type] = [response.url(), response.headers()["content-type"] ?? ""];
  const body = response.body().catch(() => Buffer.alloc(0));
  loading.push(body.then((bytes) => ({ url, type, body: bytes })));
});
await page.addInitScript(() => {
  const moved: string[] = [];
  Object.assign(window, { moved });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const sources: { node: Node | null }[] = Reflect.get(entry, "sources");
      const texts = sources.map(({ node }) => node?.textContent?.slice(0, 100) ?? "what is gone");
      moved.push(`by ${Reflect.get(entry, "value")}: ${texts.join(", ")}`);
    }
  }).observe({ type: "layout-shift", buffered: true });
});

test.each([
  ["/", MAX_SENT],
  ["/link", MAX_SENT],
  // And the page behind it, which it loads while its reader types.
  ["/signin", MAX_SENT + 9_000],
  ["/docs", Number.POSITIVE_INFINITY],
])("the first load of %s takes nothing from elsewhere, is small, and moves nothing", async (path, most) => {
  // From the second visitor on, it is remembered.
  await (await fetch(origin + path, { headers: { Accept: "text/html" } })).text();
  [sent, loading, parts] = [0, [], []];
  await page.goto(path, { waitUntil: "networkidle" });
  const loaded = await Promise.all(loading);
  expect(loaded.length).toBeGreaterThan(3);
  for (const { url } of loaded) expect(new URL(url).origin).toBe(origin);
  const script = loaded
    .filter(({ type }) => type.includes("javascript"))
    .reduce((sum, { body }) => sum + gzipSync(body).length, 0);
  expect(script).toBeGreaterThan(50_000);
  expect(script).toBeLessThan(MAX_SCRIPT);
  expect(sent).toBeGreaterThan(100_000);
  expect(sent, parts.join("\n")).toBeLessThan(most);
  expect(await page.evaluate(() => Reflect.get(window, "moved"))).toEqual([]);
});

test("the first words of the start page wait for its text and styles alone, half a second at 50 KB/s", async () => {
  await page.goto("/", { waitUntil: "networkidle" });
  const awaited = await page.evaluate(() => {
    const timings = (kind: string) => performance.getEntriesByType(kind) as PerformanceResourceTiming[];
    const blocking = timings("resource").filter((one) => Reflect.get(one, "renderBlockingStatus") === "blocking");
    return [...timings("navigation"), ...blocking].map(({ name, transferSize }) => ({ name, bytes: transferSize }));
  });
  const heading = await page.getByRole("heading", { level: 1 }).textContent();
  expect((await ask("/", { headers: { Accept: "text/html" } })).text).toContain(`>${heading}</h1>`);
  expect(awaited.length).toBeGreaterThan(2);
  for (const { name } of awaited.slice(1)) expect(name).toMatch(/\.css$/);
  expect(awaited.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(25_000);
});

// What the real build and its lanes make of it: tests/server has every case of both ways to compress.
const BROWSER = { Accept: "text/html", "Accept-Encoding": "gzip, deflate, br, zstd" };

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
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true);
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
  }
  expect((await ask("/icon.svg")).headers["cache-control"]).toBe("public, max-age=86400");
});
