import type { IncomingMessage, ServerResponse } from "node:http";
import { gunzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { declareServer } from "@/lib/platform/network/network";
import { rememberedPages } from "@/server/remembered-pages";
import { passBody } from "@/server/response";
import { sendTo } from "@/tests/support/request";
import { listen, serve } from "./service";

beforeAll(declareServer);

function made(request: IncomingMessage, response: ServerResponse, count: number, end = "</html>"): void {
  const nonce = Buffer.from(`nonce ${String(count).padStart(10, "0")}`).toString("base64");
  response.setHeader("Content-Type", "text/html; charset=utf-8");
  response.setHeader("Content-Security-Policy", `script-src 'nonce-${nonce}'`);
  const id = request.headers["x-request-id"];
  response.write(`<html data-request-id="${id}"><script nonce="${nonce}">…</script>${"words ".repeat(500)}`);
  response.end(`<script nonce="${nonce}"></script><i>${JSON.stringify(request.headers["x-odd"] ?? null)}</i>${end}`);
}

async function remembered(end?: string) {
  let count = 0;
  const running = await listen({ page: async (request, response) => made(request, response, ++count, end) });
  const ask = async (path: string, headers: Record<string, string> = {}, method = "GET") => {
    const answer = await sendTo(running.url, path, { headers, method });
    const text = answer.headers["content-encoding"] === "gzip" ? gunzipSync(answer.bytes).toString() : answer.text;
    return { ...answer, text, nonces: new Set([...text.matchAll(/nonce="([^"]+)"/g)].map(([, nonce]) => nonce)) };
  };
  return { ask, count: () => count, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}

test.each<Record<string, string>>([{}, { "Accept-Encoding": "gzip" }])(
  "a page is made once, and each visitor gets their own nonce and id (%o)",
  async (headers) => {
    await using page = await remembered();
    const first = await page.ask("/docs", headers);
    const others = [await page.ask("/docs", headers), await page.ask("/docs?", headers)];
    expect(page.count()).toBe(1);
    const without = ({ text, nonces, headers }: typeof first) =>
      [...nonces, String(headers["x-request-id"])].reduce<string>(
        (rest, own) => rest.replaceAll(String(own), "own"),
        text,
      );
    for (const other of others) {
      const [nonce] = other.nonces;
      expect([other.status, other.nonces.size, nonce?.length]).toEqual([200, 1, 24]);
      expect(other.headers["content-security-policy"]).toContain(`'nonce-${nonce}'`);
      expect(other.text).toContain(`data-request-id="${other.headers["x-request-id"]}"`);
      expect(other.headers["content-encoding"]).toBe(headers["Accept-Encoding"]);
      expect(without(other)).toBe(without(first));
    }
    const all = [first, ...others];
    expect(new Set(all.flatMap(({ nonces }) => [...nonces])).size).toBe(3);
    expect(new Set(all.map(({ headers }) => headers["x-request-id"])).size).toBe(3);
  },
);

test("a header like those of the router of Next makes no page anew", async () => {
  await using page = await remembered();
  await page.ask("/docs");
  const before = page.count();
  await page.ask("/docs", { "Next-A": "1" });
  expect(page.count()).toBe(before);
});

test.each<[string, string, Record<string, string>, string?]>([
  ["somebody signed in", "/docs", { Cookie: "next-auth.session-token=a" }],
  ["a browser that has a ticket", "/link", { Cookie: "a=b; latchkey_link=a" }],
  ["an address that brings text", "/docs?a", {}],
  ["an address that brings text and a question mark", "/docs/guides/keys?a?", {}],
  ["the router of Next", "/docs", { RSC: "1" }],
  ["another method", "/docs", {}, "OPTIONS"],
  ["a page of an account", "/account", {}],
])("the page for %s is made anew", async (_, path, headers, method) => {
  await using page = await remembered();
  await page.ask("/docs");
  const before = page.count();
  await page.ask(path, headers, method);
  await page.ask(path, headers, method);
  expect(page.count()).toBe(before + 2);
  expect((await page.ask("/docs")).nonces.size).toBe(1);
  expect(page.count()).toBe(before + 2);
});

test("what a visitor's headers say is in nobody else's page, and each host has its own", async () => {
  await using page = await remembered();
  expect((await page.ask("/docs", { "X-Odd": "bad" })).text).not.toContain("bad");
  await page.ask("/docs", { Host: "192.0.2.7" });
  expect(page.count()).toBe(2);
});

test("HEAD gets the head of a page that is remembered, with its length", async () => {
  await using page = await remembered();
  await page.ask("/docs");
  const { status, headers, bytes } = await page.ask("/docs", {}, "HEAD");
  expect([status, Number(headers["content-length"]) > 3_000, bytes.length]).toEqual([200, true, 0]);
});

test.each(["", '<template data-dgst="1"></template></html>'])(
  "a page that did not become whole is not remembered (%j)",
  async (end) => {
    await using page = await remembered(end);
    await page.ask("/docs");
    await page.ask("/docs");
    expect(page.count()).toBe(2);
  },
);

test("beyond the bound, all pages are forgotten, and made again", async () => {
  const pages = rememberedPages(8_000);
  let count = 0;
  await using service = await serve((request, response) => {
    request.headers["x-forwarded-host"] = request.headers.host;
    if (pages.respond(request, response, "id")) return;
    passBody(response, pages.copy(request, response, "id"));
    made(request, response, ++count);
  });
  for (const Host of ["a", "b", "a", "c", "a", "c"]) await sendTo(service.url, "/docs", { headers: { Host } });
  expect(count).toBe(4);
});

test("the API's description is remembered, compressed, for a few origins only, and right for all", async () => {
  await using running = await listen();
  const codings = new Set<unknown>();
  for (let n = 0; n < 9; n++) {
    const headers = { Host: `192.0.2.${n}`, "Accept-Encoding": "gzip" };
    const answer = await sendTo(running.url, "/openapi.json", { headers });
    const coding = answer.headers["content-encoding"];
    codings.add(coding);
    const { servers } = JSON.parse(coding === "gzip" ? gunzipSync(answer.bytes).toString() : answer.text);
    expect(servers).toEqual([{ url: `http://192.0.2.${n}` }]);
  }
  expect(codings).toContain(undefined);
});
