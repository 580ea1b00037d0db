import { connect } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { migrate } from "@/lib/platform/db/migrate";
import { declareServer } from "@/lib/platform/network/network";
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

test.each([
  ..."/keys/create/ /keys/unknown /keys/get /keys/get/ /keys/get/a/b //keys/create /keys//create /keys//".split(" "),
  ..."/link/codes /me/ /me/a //me /health/ /health/x?y=1 /read-files/ /openapi.json/ /keys/%63reate/".split(" "),
  ..."/link/__proto__ /link/constructor /keys/get/%2e%2e/nothing".split(" "),
])("%s is a JSON 404", async (target) => expectError(await answerOf(target), 404, "not_found"));

const JAVA = "Accept: text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2";
const BROWSER = ["Accept: text/html,application/xhtml+xml", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"];

describe("a refusal before any route", () => {
  const refusedAt = async (target: string, more: string[], host = "evil.example") => {
    await using service = await listen();
    return await ask(service.port, `GET ${target}`, [`Host: ${host}`, ...more]);
  };

  test.each(["/me?auth=a", "/keys/get/a?auth=b", "/keys/nothing", "/get_user", "/v2/me?auth=a", "/openapi.json"])(
    "at %s is JSON, whatever is accepted",
    async (target) => {
      for (const accepted of [[JAVA], BROWSER])
        expectError(await refusedAt(target, accepted), 421, "misdirected_request");
    },
  );

  test.each(["/docs", "/nothing"])("at %s is a page for whoever accepts one", async (target) => {
    for (const accepted of [[JAVA], BROWSER]) {
      const page = await refusedAt(target, accepted);
      expect([page.status, page.headers["content-type"]]).toEqual([421, "text/html; charset=utf-8"]);
      expect(page.body).toContain("<h1>Wrong address</h1>");
    }
  });

  test("of a too long address is JSON, whatever is accepted", async () => {
    for (const accepted of [[JAVA], BROWSER]) {
      const answer = await refusedAt(`/keys/get/${"a".repeat(9_000)}`, accepted, "localhost");
      expectError(answer, 414, "address_too_long");
    }
  });
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

test("200 clients that go away in the middle of a request leave the service well", async () => {
  await using service = await listen();
  await Promise.all(
    Array.from({ length: 200 }, (_, index) => {
      const socket = connect(service.port, "127.0.0.1", () => {
        socket.write("GET /account HTTP/1.1\r\nHost: localhost\r\n\r\nGET /acc".slice(0, 5 + (index % 40)));
        socket.resetAndDestroy();
      });
      return new Promise<void>((resolve) => socket.on("error", () => {}).on("close", () => resolve()));
    }),
  );
  expect(
    (await send(service.port, "GET /account HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")).status,
  ).toBe(200);
});
