import { beforeAll, expect, test } from "vitest";
import { migrate } from "@/lib/db/migrate";
import { declareServer } from "@/lib/network";
import { get, listen, type Received, send } from "./service";

beforeAll(async () => {
  declareServer();
  await migrate();
});

async function ask(target: string): Promise<Received> {
  await using service = await listen();
  return await get(service.port, target);
}

function expectError(answer: Received, status: number, code: string) {
  expect([answer.status, answer.headers["content-type"]]).toEqual([status, "application/json; charset=utf-8"]);
  const body = JSON.parse(answer.body);
  expect(body).toEqual({ success: false, error: body.message, message: expect.stringMatching(/\.$/), code });
  expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
}

const pages = [
  "/",
  "/keys",
  "/keys/",
  "/keys?user=a",
  "/link",
  "/link/",
  "/link?code=KMTRWB",
  "/files",
  "/files/a",
  "/account",
  "/keysmith",
  "/me-too",
  "/api/auth/csrf",
  "/KEYS/create",
];
test.each(pages)("%s is Next's", async (target) => {
  const answer = await ask(target);
  expect([answer.status, JSON.parse(answer.body).url]).toEqual([200, target]);
  expect(answer.headers["x-request-id"]).toBe(JSON.parse(answer.body).headers["x-request-id"]);
});

const unknown = [
  "/keys/create/",
  "/keys/",
  "/keys/unknown",
  "/keys/get",
  "/keys/get/",
  "/keys/get/a/b",
  "//keys/create",
  "/keys//create",
  "/keys//",
  "/link/",
  "/link/codes",
  "/me/",
  "/me/a",
  "//me",
  "/health/",
  "/health/x?y=1",
  "/read-files/",
  "/openapi.json/",
  "/keys/%63reate/",
  "/link/__proto__",
  "/link/constructor",
].filter((target) => !pages.includes(target));
test.each(unknown)("%s is a JSON 404", async (target) => expectError(await ask(target), 404, "not_found"));

test("OPTIONS of an unknown address of the API is a preflight's 204", async () => {
  await using service = await listen();
  const answer = await send(
    service.port,
    "OPTIONS /keys/unknown HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
  );
  expect([answer.status, answer.headers["access-control-allow-origin"]]).toEqual([204, "*"]);
});

test.each(["POST", "PUT", "PATCH", "DELETE", "PROPFIND"])(
  "%s of an unknown address of the API is a JSON 404 as well",
  async (method) => {
    await using service = await listen();
    expectError(
      await send(service.port, `${method} /keys/unknown HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
      404,
      "not_found",
    );
  },
);

test.each(["POST", "PUT", "PATCH", "DELETE", "PROPFIND", "TRACE"])("%s of a route is 405", async (method) => {
  await using service = await listen();
  const answer = await send(
    service.port,
    `${method} /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello`,
  );
  expectError(answer, 405, "method_not_allowed");
  expect(answer.headers.allow).toBe("GET, HEAD, OPTIONS");
});

test("HEAD answers like GET, without a body", async () => {
  await using service = await listen();
  const answers = await Promise.all(
    ["/health", "/keys/unknown"].map((path) =>
      send(service.port, `HEAD ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
    ),
  );
  expect(answers.map(({ status, body }) => [status, body])).toEqual([
    [200, ""],
    [404, ""],
  ]);
});

test("HEAD of a route that changes something is 405, without a body", async () => {
  await using service = await listen();
  const answer = await send(service.port, "HEAD /link/code HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  expect([answer.status, answer.body, answer.headers.allow]).toEqual([405, "", "GET, OPTIONS"]);
});

test("what follows a # is not part of the path", async () => {
  expect((await ask("/health#part")).status).toBe(200);
});

test.each(["/keys/get/%", "/keys/get/%zz", "/keys/get/%ff", "/keys/get/%C3%28", "/keys/check/%E0%A4%A"])(
  "%s is a client's mistake",
  async (target) => {
    expectError(
      await ask(`${target}?key=a`),
      target.includes("check") ? 400 : 401,
      target.includes("check") ? "invalid_parameter" : "missing_token",
    );
  },
);

test.each(["/%", "/%zz", "/account/%ff", "/link%", "/_next/static/%c0%af"])(
  "%s, which no page could decode, is a JSON 400",
  async (target) => {
    expectError(await ask(target), 400, "bad_request");
  },
);

test.each(["/keys\\create", "/me\\..\\health", "/keys/get\\a"])("a backslash in %s gets no further", async (target) => {
  const answer = await ask(target);
  if (answer.status !== 200) expectError(answer, 400, "bad_request");
  else expect(JSON.parse(answer.body).url).toBe(target);
});

test("dots in a path are resolved before a route is chosen (RFC 3986, section 5.2.4)", async () => {
  expect((await ask("/keys/../health")).status).toBe(200);
  expectError(await ask("/keys/get/%2e%2e/nothing"), 404, "not_found");
});

test.each(["é", "€", "😀", "a b", "%", "\u200f"])("a parameter holding %j arrives as it was sent", async (text) => {
  const answer = await ask(`/keys/check/someone?key=${encodeURIComponent(text)}`);
  expect([answer.status, JSON.parse(answer.body)]).toEqual([
    200,
    { owned: false, owns: false, username: "someone", key: text },
  ]);
});

test("an unsupported upgrade is treated like any request", async () => {
  await using service = await listen();
  const answer = await get(service.port, "/health", [
    "Host: localhost",
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Key: a",
    "Sec-WebSocket-Version: 13",
  ]).catch(String);
  expect(answer).toMatchObject({ status: 200 });
});
