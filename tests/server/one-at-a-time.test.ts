import type { IncomingMessage, ServerOptions, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { oneAtATime } from "@/server/one-at-a-time";
import { openSocket, type RawConnection } from "@/tests/support/sockets";
import { serve } from "./service";

type Work = (request: IncomingMessage, response: ServerResponse) => unknown;

async function listen(work: Work, options: ServerOptions = {}) {
  const begun: string[] = [];
  const running = new Set<ServerResponse>();
  const atOnce = { most: 0 };
  const service = await serve(
    oneAtATime((request, response) => {
      begun.push(request.url ?? "");
      for (const other of running) if (other.writableFinished) running.delete(other);
      atOnce.most = Math.max(atOnce.most, running.add(response).size);
      void work(request, response);
    }),
    options,
  );
  return { ...service, begun, atOnce };
}

const asked = (from: number, count: number, more = "") =>
  Array.from({ length: count }, (_, index) => `GET /${from + index} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`).join(
    "",
  );
const paths = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`);
/** The bodies of the responses, each of which is a path in brackets. */
const answers = ({ received }: RawConnection) => received().match(/(?<=<)[^>]+(?=>)/g) ?? [];
const answersSoon: Work = async ({ url }, response) => {
  await sleep(1);
  response.end(`<${url}>`);
};
const until = async (isTrue: () => boolean) => {
  while (!isTrue()) await sleep(5);
};

test("a few requests sent at once are answered in order, and the connection goes on", async () => {
  await using service = await listen(answersSoon);
  const client = await openSocket(service.url, asked(0, 17));
  await until(() => answers(client).length === 17);
  client.socket.write(asked(17, 5));
  await until(() => answers(client).length === 22);
  expect(answers(client)).toEqual(paths(22));
  expect([service.begun, service.atOnce.most]).toEqual([paths(22), 1]);
  client.socket.destroy();
});

test("of a thousand requests sent at once only a few are begun, and then the connection ends", async () => {
  await using service = await listen(answersSoon);
  const client = await openSocket(service.url, asked(0, 1_000));
  await client.closed;
  expect(answers(client)).toEqual(paths(17));
  expect(client.received().match(/Connection: close/g)).toHaveLength(1);
  expect([service.begun.length, service.atOnce.most]).toEqual([17, 1]);
});

test("while the responses are not read, one request is in work, and nothing further is read", async () => {
  await using service = await listen((_, response) => response.end(Buffer.alloc(20_000_000)));
  const client = await openSocket(service.url, asked(0, 3), false);
  await until(() => service.begun.length > 0);
  client.socket.write(`POST /large HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50000000\r\n\r\n`);
  client.socket.write(Buffer.alloc(50_000_000));
  await sleep(300);
  expect([service.begun, service.atOnce.most]).toEqual([["/0"], 1]);
  expect(client.socket.writableLength).toBeGreaterThan(10_000_000);
  client.socket.destroy();
});

test("a client that reads late gets every response whole", async () => {
  await using service = await listen(({ url }, response) => response.end(`<${url}>${" ".repeat(2_000_000)}`));
  const client = await openSocket(service.url, asked(0, 8), false);
  await until(() => service.begun.length > 0);
  const chunks: Buffer[] = [];
  client.socket.on("data", (chunk) => chunks.push(chunk)).resume();
  const all = () => Buffer.concat(chunks).toString("latin1");
  await until(() => all().length > 16_000_000);
  expect(all().match(/(?<=<)[^>]+(?=>)/g)).toEqual(paths(8));
  client.socket.destroy();
});

test("a request that waits is read on, body and all, when its turn comes, and told to continue only then", async () => {
  let release = () => {};
  await using service = await listen(async (request, response) => {
    if (request.url === "/0") await new Promise<void>((resolve) => (release = resolve));
    let length = 0;
    for await (const chunk of request) length += chunk.length;
    response.end(`<${request.url} ${length}>`);
  });
  const body = "x".repeat(300_000);
  const line = "POST /1 HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue";
  const posted = `${line}\r\nContent-Length: ${body.length}\r\n\r\n`;
  const client = await openSocket(service.url, asked(0, 1) + posted + body + asked(2, 1));
  await until(() => service.begun.length > 0);
  await sleep(50);
  expect([service.begun, client.received()]).toEqual([["/0"], ""]);
  release();
  await until(() => answers(client).length === 3);
  expect(answers(client)).toEqual(["/0 0", "/1 300000", "/2 0"]);
  expect(client.received().indexOf("100 Continue")).toBeGreaterThan(client.received().indexOf("</0 0>"));
  client.socket.destroy();
});

test("requests of a client that has gone are never begun", async () => {
  let release = () => {};
  await using service = await listen(async (_, response) => {
    await new Promise<void>((resolve) => (release = resolve));
    response.end();
  });
  const client = await openSocket(service.url, asked(0, 5));
  await until(() => service.begun.length > 0);
  client.socket.resetAndDestroy();
  release();
  await sleep(50);
  // At the first response at the latest, its going is noticed.
  expect(service.begun.length).toBeLessThan(3);
});

test.each([
  ["is no HTTP", "rubbish\r\n\r\n"],
  ["does not arrive whole in time", "GET /unfinished"],
  ["follows a request to end the connection", asked(9, 1)],
])("what %s ends the connection after the responses to what came before it", async (what, rest) => {
  const options = { headersTimeout: 1_000, connectionsCheckingInterval: 100 };
  await using service = await listen(async ({ url }, response) => {
    await sleep(60);
    response.end(`<${url}>`);
  }, options);
  const last = what.startsWith("follows") ? "Connection: close\r\n" : "";
  const client = await openSocket(service.url, asked(0, 3) + asked(3, 1, last) + rest);
  await client.closed;
  expect(answers(client)).toEqual(paths(4));
  expect(client.received()).not.toContain("400 ");
});
