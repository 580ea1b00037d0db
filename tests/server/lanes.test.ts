import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { ALIASES } from "@/lib/api/declaration";
import { migrate } from "@/lib/platform/db/migrate";
import { ignoresQuery, isPage } from "@/lib/platform/http/pages";
import { declareServer } from "@/lib/platform/network/network";
import { config } from "@/proxy";
import { apiPrefixes } from "@/scripts/route-files";
import { direct } from "@/server/lanes";
import { routeNamer } from "@/server/pages";
import { ask, listen, type Received, send } from "./service";

beforeAll(async () => {
  declareServer();
  await migrate();
});

async function answerTo(line: string, more: string[] = []): Promise<Received> {
  await using service = await listen();
  return await ask(service.port, line, ["Host: localhost", ...more]);
}
const answerOf = (target: string) => answerTo(`GET ${target}`);

function expectError(answer: Received, status: number, code: string) {
  expect([answer.status, answer.headers["content-type"]]).toEqual([status, "application/json; charset=utf-8"]);
  const body = JSON.parse(answer.body);
  expect(body).toEqual({ success: false, error: body.message, message: expect.stringMatching(/\.$/), code });
  expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
}

test.each([
  ..."/ /keys /keys/ /keys?user=a /link /link/ /link?code=KMTRWB /files /files/a /account".split(" "),
  ..."/keysmith /me-too /api/auth/csrf /KEYS/create".split(" "),
])("%s is Next's", async (target) => {
  const answer = await answerOf(target);
  expect([answer.status, JSON.parse(answer.body).url]).toEqual([200, target]);
  expect(answer.headers["x-request-id"]).toBe(JSON.parse(answer.body).headers["x-request-id"]);
});

test("a path below the API's prefixes is never Next's", async () => {
  for (const target of ["/keys/unknown", "/keys/get/", "//keys//create", "/keys/%63reate/", "/link/__proto__", "/me/a"])
    expectError(await answerOf(target), 404, "not_found");
});

test.each(["/health#part", "/keys/../health"])(
  "%s is /health: a part is no path, and dots are resolved (RFC 3986, section 5.2.4)",
  async (target) => expect((await answerOf(target)).status).toBe(200),
);

test.each([
  ...["/keys/get/%zz", "/keys/get/%C3%28"].map((path) => [path, 401, "missing_token"] as const),
  ["/keys/check/%E0%A4%A", 400, "invalid_parameter"],
  // No page could decode them.
  ...["/%", "/account/%ff", "/link%", "/_next/static/%c0%af"].map((path) => [path, 400, "bad_request"] as const),
] as const)("%s is a client's mistake", async (target, status, code) => {
  expectError(await answerOf(`${target}?key=a`), status, code);
});

test.each(["/keys\\create", "/me\\..\\health", "/keys/get\\a"])("a backslash in %s gets no further", async (target) => {
  const answer = await answerOf(target);
  if (answer.status !== 200) expectError(answer, 400, "bad_request");
  else expect(JSON.parse(answer.body).url).toBe(target);
});

test("an unsupported upgrade is treated like any request", async () => {
  const upgrade = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: a", "Sec-WebSocket-Version: 13"];
  expect(await answerTo("GET /health", upgrade).catch(String)).toMatchObject({ status: 200 });
});

function expectRefusal(answer: Received, status: number, code: string) {
  expect([answer.status, JSON.parse(answer.body).code], answer.body).toEqual([status, code]);
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(answer.headers.connection).toBe("close");
  expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
}

test.each([
  ["no HTTP at all", "hello\r\n\r\n"],
  ["a method that is none", "GE/T / HTTP/1.1\r\nHost: localhost\r\n\r\n"],
  ["a version of the future", "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n"],
  ["a header without a name", "GET / HTTP/1.1\r\nHost: localhost\r\n: b\r\n\r\n"],
  ["two lengths", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"],
  [
    "a length and chunks",
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  ],
  ["a blank in the address", "GET /a b HTTP/1.1\r\nHost: localhost\r\n\r\n"],
  ["NUL in a header", "GET / HTTP/1.1\r\nHost: localhost\r\nA: b\0c\r\n\r\n"],
])("%s is a JSON 400", async (_, bytes) => {
  await using service = await listen();
  expectRefusal(await send(service.port, bytes), 400, "bad_request");
});

test("a request that does not arrive in time is a JSON 408", async () => {
  await using service = await listen({}, { headersTimeout: 200, connectionsCheckingInterval: 50 });
  expectRefusal(await send(service.port, "GET / HTTP/1.1\r\nHost: localhost\r\n"), 408, "request_timeout");
});

test("garbage after a request does not disturb its response, and the connection ends", async () => {
  await using service = await listen();
  const answer = await send(service.port, "GET /account HTTP/1.1\r\nHost: localhost\r\n\r\n", "rubbish\r\n\r\n");
  expect([200, 400]).toContain(answer.status);
  expect(() => JSON.parse(answer.body.split(/HTTP\/1\.1 \d+/)[0] ?? "")).not.toThrow();
});

const METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"] as const;

test("proxy.ts is not in the way of any route", () => {
  const [matcher = ""] = config.matcher;
  const isMatched = (path: string) => new RegExp(`^${matcher}$`).test(path);
  expect([...Object.keys(direct), ...Object.keys(ALIASES)].filter(isMatched)).toEqual([]);
  expect(apiPrefixes().filter((prefix) => isMatched(`/${prefix}/nothing`))).toEqual([]);
  const pages = ["/", "/keys", "/link", "/link/", "/files", "/account", "/nothing"];
  expect(pages.filter((path) => !isMatched(path))).toEqual([]);
});

test.each(Object.entries(direct))("%s is declared under its own address and answers every method", (pattern, route) => {
  expect(route.GET.declaration.path).toBe(pattern);
  for (const method of METHODS) expect(route[method], method).toBeTypeOf("function");
});

test("it is known of every page whether it reads parameters of its address", () => {
  const pages = readdirSync("app/(pages)", { recursive: true, withFileTypes: true }).filter(
    ({ name }) => name === "page.tsx",
  );
  for (const { parentPath, name } of pages) {
    const path = parentPath.replace("app/(pages)", "") || "/";
    const isReading = /searchParams|consolePage\(/.test(readFileSync(join(parentPath, name), "utf8"));
    expect([path, ignoresQuery(path)]).toEqual([path, !isReading]);
    expect([path, ignoresQuery(`${path}/`)]).toEqual([path, path !== "/" && !isReading]);
  }
  expect(ignoresQuery("/nothing")).toBe(false);
});

test("every page of ours is known to be one, and nothing else is", () => {
  const entries = readdirSync("app/(pages)", { recursive: true, withFileTypes: true });
  const folderOf = (parentPath: string) => parentPath.replace("app/(pages)", "") || "/";
  const served = entries.filter(({ name }) => name === "page.tsx").map(({ parentPath }) => folderOf(parentPath));
  expect(served.filter((path) => !isPage(path))).toEqual([]);
  const folders = entries.filter((entry) => entry.isDirectory());
  const others = folders.map(({ parentPath, name }) => `${parentPath}/${name}`.replace("app/(pages)", ""));
  expect(others.filter((path) => !served.includes(path) && isPage(path))).toEqual([]);
});

const nameOf = routeNamer(["/", "/keys", "/link", "/icon.svg", "/api/auth/[...nextauth]", "/files/[id]"]);

test.each([
  ["/", "/"],
  ["/keys", "/keys"],
  ["/link/", "/link"],
  ["/icon.svg", "/icon.svg"],
  ["/api/auth/callback/credentials", "/api/auth/[...nextauth]"],
  ["/files/0123", "/files/[id]"],
  ["/files/0123/4", "(unknown page)"],
  ["/_next/static/chunks/a.js", "(asset)"],
  ["/_next/nothing", "(unknown page)"],
  ["/keys-lk_secret", "(unknown page)"],
  ["//lk_secret", "(unknown page)"],
  ["/iconxsvg", "(unknown page)"],
])("%s is a request for %s", (path, pattern) => {
  expect(nameOf(path)).toBe(pattern);
});
