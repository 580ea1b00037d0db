import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { declareServer } from "@/lib/platform/network/network";
import { compressedAssets } from "@/server/compressed-assets";
import { type Answer, type Asking, sendTo } from "@/tests/support/request";
import { listen } from "./service";

const SCRIPT = "export const answer = 42;\n".repeat(200);
const ASSET = "/_next/static/chunks/page-1a2b.js";
const ALL = { "Accept-Encoding": "gzip, deflate, br" };

let build: string;
beforeAll(async () => {
  declareServer();
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

test("the response to HEAD has the length and no body", async () => {
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
