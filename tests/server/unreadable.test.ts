import { connect } from "node:net";
import { expect, test } from "vitest";
import { listen, type Received, send } from "./service";

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
