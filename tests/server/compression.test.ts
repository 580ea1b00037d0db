import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, type RequestListener, request, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliDecompressSync, createGunzip, gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { declareServer } from "@/lib/platform/network/network";
import { compressedAssets } from "@/server/compressed-assets";
import { pageCompression } from "@/server/page-compression";
import { passBody } from "@/server/response";
import { type Answer, type Asking, sendTo } from "@/tests/support/request";
import { listen, serve } from "./service";

beforeAll(declareServer);

const TEXT = "A page that repeats itself. ".repeat(2_000);

function compressed(page: RequestListener, most?: number) {
  const compression = pageCompression(most);
  return serve((asked, response) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    passBody(response, undefined, compression);
    page(asked, response);
  });
}

type Headers = Record<string, string>;
const GZIP = { "Accept-Encoding": "gzip, br" };

async function open(port: number, headers: Headers = GZIP, path = "/", method = "GET"): Promise<IncomingMessage> {
  const sent = request({ port, path, method, headers, agent: false }).end();
  const [response] = await once(sent, "response");
  return response;
}

async function bytesOf(response: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await response.toArray());
}

const codingOf = async (port: number, headers?: Headers, path?: string) => {
  const response = await open(port, headers, path);
  await bytesOf(response);
  return response.headers["content-encoding"];
};

const whole: RequestListener = (_, response) => response.end(TEXT);

test("a page arrives compressed, and equal after decompression", async () => {
  await using service = await compressed((_, response) => {
    response.setHeader("Content-Length", Buffer.byteLength(TEXT)).setHeader("Vary", "rsc");
    response.write(TEXT.slice(0, 30_000));
    response.end(TEXT.slice(30_000));
  });
  const response = await open(service.port);
  expect(response.headers).toMatchObject({ "content-encoding": "gzip", vary: "rsc, Accept-Encoding" });
  expect(response.headers["content-length"]).toBeUndefined();
  const sent = await bytesOf(response);
  expect(sent.length).toBeLessThan(TEXT.length / 20);
  expect(gunzipSync(sent).toString()).toBe(TEXT);
});

const COOKIE = { Cookie: "session=secret" };
const OWN = { ...GZIP, ...COOKIE, "Sec-Fetch-Site": "same-origin" };
const USER = { ...GZIP, ...COOKIE, "Sec-Fetch-Site": "none" };

test.each<[string, Headers, string]>([
  ["without cookies", GZIP, "/link?code=KMTRWB"],
  ["without cookies, from another site", { ...GZIP, "Sec-Fetch-Site": "cross-site" }, "/"],
  ["of one of our pages", OWN, "/keys"],
  ["of the user", USER, "/keys"],
  ["of Next's router", { ...OWN, RSC: "1" }, "/keys?_rsc=1a2b3"],
])("a request %s gets a compressed page", async (_, headers, path) => {
  await using service = await compressed(whole);
  expect(await codingOf(service.port, headers, path)).toBe("gzip");
});

test.each<[string, Headers, string]>([
  ["with cookies from another site", { ...OWN, "Sec-Fetch-Site": "cross-site" }, "/keys"],
  ["with cookies from a site beside ours", { ...OWN, "Sec-Fetch-Site": "same-site" }, "/keys"],
  ["with cookies that does not say where it is from", { ...GZIP, ...COOKIE }, "/keys"],
  ["with cookies and text in its address", OWN, "/link?code=KMTRWB"],
  ["with cookies and text in an address that a user opened", USER, "/link?code=KMTRWB"],
  ["that pretends to be of Next's router", OWN, "/keys?_rsc=1a2b3"],
  ["of Next's router with text in its address", { ...OWN, RSC: "1" }, "/keys?code=KMTRWB&_rsc=1a2b3"],
  ["of a client that does not accept it", { "Accept-Encoding": "br, gzip;q=0" }, "/"],
])("a request %s gets the same bytes plain", async (_, headers, path) => {
  await using service = await compressed(whole);
  const response = await open(service.port, headers, path);
  expect(response.headers).toMatchObject({ vary: "Accept-Encoding", "content-length": String(TEXT.length) });
  expect([response.headers["content-encoding"], (await bytesOf(response)).toString()]).toEqual([undefined, TEXT]);
});

const zipped = gzipSync(TEXT);

test.each<[string, (response: ServerResponse) => void, string | Buffer]>([
  ["a picture", (response) => response.setHeader("Content-Type", "image/png").end(TEXT), TEXT],
  ["JSON", (response) => response.setHeader("Content-Type", "application/json").end(TEXT), TEXT],
  ["a part of a page", (response) => response.writeHead(206).end(TEXT), TEXT],
  ["a page with its whole head", (response) => response.writeHead(404, { Vary: "Cookie" }).end(TEXT), TEXT],
  ["a page that is compressed", (response) => response.setHeader("Content-Encoding", "gzip").end(zipped), zipped],
  ["304", (response) => response.writeHead(304).end(), ""],
])("%s is sent as it is", async (_, page, expected) => {
  await using service = await compressed((_, response) => page(response));
  expect((await bytesOf(await open(service.port))).equals(Buffer.from(expected))).toBe(true);
});

test.each([
  ["/keys", "gzip"],
  ["/link?code=KMTRWB", "gzip"],
  ["/files/content", undefined],
  ["/files/export", undefined],
  ["/api/auth/signout", undefined],
  ["/nothing-here", undefined],
])("of what Next serves as HTML, %s has the coding %s: only pages are compressed", async (path, coding) => {
  const page = async (_: unknown, response: ServerResponse) =>
    response.setHeader("Content-Type", "text/html").end(TEXT);
  await using service = await listen({ page });
  expect(await codingOf(service.port, { ...GZIP, Accept: "text/html" }, path)).toBe(coding);
});

test("the response to HEAD of a page has no body, and says what it depends on", async () => {
  await using service = await compressed(whole);
  const response = await open(service.port, GZIP, "/", "HEAD");
  expect([response.headers.vary, (await bytesOf(response)).length]).toEqual(["Accept-Encoding", 0]);
});

test("the first part of a page can be read before the rest is written", async () => {
  let finish = () => {};
  await using service = await compressed((_, response) => {
    response.write("<h1>First</h1>");
    finish = () => response.end("the rest");
  });
  const page = (await open(service.port)).pipe(createGunzip()).setEncoding("utf8");
  const [first] = await once(page, "data");
  finish();
  expect([first, (await page.toArray()).join("")]).toEqual(["<h1>First</h1>", "the rest"]);
});

test("a page waits for its client, and continues", async () => {
  const part = randomBytes(100_000);
  let waits = 0;
  await using service = await compressed(async (_, response) => {
    for (let count = 0; count < 100; count++) {
      if (response.write(part)) continue;
      waits++;
      await once(response, "drain");
    }
    response.end();
  });
  let read = 0;
  for await (const chunk of (await open(service.port)).pipe(createGunzip())) read += chunk.length;
  expect([read, waits]).toEqual([10_000_000, 100]);
});

test("a client that disconnects in the middle frees its place", async () => {
  const ended: string[] = [];
  await using service = await compressed((asked, response) => {
    if (asked.url === "/short") return response.end(TEXT);
    const write = () => void (response.write(randomBytes(100_000)) && setImmediate(write));
    response.on("drain", write).once("close", () => {
      response.off("drain", write);
      ended.push("long");
    });
    write();
  }, 1);
  for (let round = 0; round < 5; round++) {
    const response = await open(service.port, GZIP, "/long");
    response.on("error", () => {});
    expect(response.headers["content-encoding"]).toBe("gzip");
    expect(await codingOf(service.port, GZIP, "/short")).toBeUndefined();
    response.destroy();
    await expect.poll(() => codingOf(service.port, GZIP, "/short")).toBe("gzip");
  }
  expect(ended).toHaveLength(5);
  // What compresses is garbage now: nothing waits for the clients that left.
  await expect.poll(() => process.getActiveResourcesInfo().filter((name) => /zlib/i.test(name))).toEqual([]);
});

const SCRIPT = "export const answer = 42;\n".repeat(200);
const ASSET = "/_next/static/chunks/page-1a2b.js";
const ALL = { "Accept-Encoding": "gzip, deflate, br" };

let build: string;
beforeAll(async () => {
  build = mkdtempSync(join(tmpdir(), "latchkey-assets-"));
  mkdirSync(join(build, "static", "chunks"), { recursive: true });
  writeFileSync(join(build, "static", "chunks", "page-1a2b.js"), SCRIPT);
  writeFileSync(join(build, "static", "chunks", "tiny.js"), "1");
  writeFileSync(join(build, "static", "picture.png"), SCRIPT);
  writeFileSync(join(build, "server.mjs"), "secret");
  const { compressAssets } = await import(pathToFileURL(resolve("scripts/builds.mjs")).href);
  await compressAssets(build);
});
afterAll(() => rmSync(build, { recursive: true, force: true }));

async function ask(path: string, asking?: Asking): Promise<Answer> {
  await using service = await listen({ assets: compressedAssets(build) });
  return await sendTo(service.url, path, asking);
}

/** Whether the response is that of the next handler, to which the plain form is left. */
const isNexts = ({ body }: Answer) => typeof body?.url === "string";

test.each([
  ["gzip, deflate, br", "br", brotliDecompressSync],
  ["*", "br", brotliDecompressSync],
  ["gzip", "gzip", gunzipSync],
  ["br;q=0, gzip", "gzip", gunzipSync],
])("a client that sends %s gets %s, equal after decompression", async (accepted, coding, inflate) => {
  const { status, headers, bytes } = await ask(ASSET, { headers: { "Accept-Encoding": accepted } });
  expect([status, inflate(bytes).toString()]).toEqual([200, SCRIPT]);
  expect(headers).toMatchObject({
    "content-encoding": coding,
    "content-length": String(bytes.length),
    "content-type": "application/javascript; charset=UTF-8",
    "cache-control": "public, max-age=31536000, immutable",
    vary: "Accept-Encoding",
    "x-content-type-options": "nosniff",
  });
});

test.each<[string, Asking]>([
  ["accepts no coding", {}],
  ["refuses them", { headers: { "Accept-Encoding": "br;q=0, gzip;q=0" } }],
  ["wants a part", { headers: { ...ALL, Range: "bytes=0-9" } }],
  ["sends another method", { method: "OPTIONS", headers: ALL }],
])("the plain form is left to Next if a client %s", async (_, asking) => {
  const answer = await ask(ASSET, asking);
  expect([isNexts(answer), answer.headers.vary]).toEqual([true, "Accept-Encoding"]);
});

test("the response to HEAD of an asset has the length and no body", async () => {
  const { headers, bytes } = await ask(ASSET, { method: "HEAD", headers: ALL });
  expect([headers["content-encoding"], Number(headers["content-length"]) > 0, bytes.length]).toEqual(["br", true, 0]);
});

test("a client that has this form gets 304, one that has another gets this one", async () => {
  const tag = String((await ask(ASSET, { headers: ALL })).headers.etag);
  const known = await ask(ASSET, { headers: { ...ALL, "If-None-Match": `W/${tag}` } });
  expect([known.status, known.bytes.length, known.headers.vary]).toEqual([304, 0, "Accept-Encoding"]);
  expect((await ask(ASSET, { headers: { "Accept-Encoding": "gzip", "If-None-Match": tag } })).status).toBe(200);
});

const NO_ASSETS = [
  ...["../server.mjs", "%2e%2e/server.mjs", "..%2fserver.mjs", "%2e%2e%2fserver.mjs", "..\\server.mjs", ""],
  ...["chunks/../../server.mjs", "chunks", "chunks/", "chunks/nothing.js", "chunks/tiny.js", "chunks/page-1a2b.js/"],
  ...["chunks/page-1a2b.js.br", "chunks/page-1a2b.js%00.css", "picture.png", "__proto__"],
].map((path) => `/_next/static/${path}`);

test.each([...NO_ASSETS, "/compressed/chunks/page-1a2b.js"])("%s is left to Next", async (path) =>
  expect(isNexts(await ask(path, { headers: ALL }))).toBe(true),
);

test("a body, or a method that changes something, is refused as for every page", async () => {
  expect((await ask(ASSET, { headers: { ...ALL, "Content-Length": "1" }, body: "x" })).status).toBe(413);
  expect((await ask(ASSET, { method: "PUT", headers: ALL })).status).toBe(405);
});

test("an asset whose file has gone is left to Next", async () => {
  const assets = compressedAssets(build);
  rmSync(join(build, "compressed"), { recursive: true });
  await using service = await listen({ assets });
  const answer = await sendTo(service.url, ASSET, { headers: ALL });
  expect(isNexts(answer)).toBe(true);
});
