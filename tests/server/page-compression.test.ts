import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, type RequestListener, request, type ServerResponse } from "node:http";
import { createGunzip, gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { declareServer } from "@/lib/platform/network/network";
import { pageCompression } from "@/server/page-compression";
import { passBody } from "@/server/response";
import { listen, serve } from "./service";

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
  declareServer();
  const page = async (_: unknown, response: ServerResponse) =>
    response.setHeader("Content-Type", "text/html").end(TEXT);
  await using service = await listen({ page });
  expect(await codingOf(service.port, { ...GZIP, Accept: "text/html" }, path)).toBe(coding);
});

test("the response to HEAD has no body, and says what it depends on", async () => {
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
