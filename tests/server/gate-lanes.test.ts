import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { afterEach, beforeAll, expect, test } from "vitest";
import { declareServer } from "@/lib/network";
import { frontOf } from "@/server/front";
import { lanes } from "@/server/lanes";
import { ACTION_IDS, hostileActions } from "@/tests/support/hostile-request";
import { hostileRequests } from "@/tests/support/hostile-requests";
import { openSocket } from "@/tests/support/sockets";

beforeAll(declareServer);

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

/** The lanes behind one proxy, with pages that answer as `next` does. */
async function serve(next: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Promise<string> {
  const server = createServer(
    { requireHostHeader: false },
    lanes(next, frontOf("loopback", undefined), { actions: hostileActions }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  opened.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

async function begin(origin: string, bytes: Buffer): Promise<{ socket: Socket; received: () => string }> {
  const connection = await openSocket(origin);
  opened.push(() => connection.socket.destroy());
  connection.socket.write(bytes);
  return connection;
}

const bytesOf = (name: string, network: string) =>
  hostileRequests.find((request) => request.name === name)?.bytes(network) ?? Buffer.alloc(0);

test("bodies that nobody finishes never reach Next, and leave room for every other network", async () => {
  let reachedNext = 0;
  const origin = await serve(async (_, response) => {
    reachedNext++;
    response.end("done");
  });
  const one = await Promise.all(
    Array.from({ length: 140 }, () => begin(origin, bytesOf("an unfinished body to an action", "198.51.100.1"))),
  );
  const refused = () => one.filter(({ received }) => received().startsWith("HTTP/1.1 429"));
  await expect.poll(() => refused().length).toBe(12);
  expect(refused()[0]?.received()).toMatch(/retry-after: 2/i);
  expect(reachedNext).toBe(0);

  const sent = await fetch(`${origin}/signup`, {
    method: "POST",
    headers: { "Next-Action": ACTION_IDS.strangers, "Content-Type": "text/plain", "X-Forwarded-For": "198.51.100.2" },
    body: "[]",
  });
  expect([sent.status, await sent.text()]).toEqual([200, "done"]);
  // Who goes away gives his places back.
  for (const { socket } of one) socket.destroy();
  await expect
    .poll(async () => {
      const again = {
        method: "POST",
        headers: {
          "Next-Action": ACTION_IDS.strangers,
          "Content-Type": "text/plain",
          "X-Forwarded-For": "198.51.100.1",
        },
        body: "[]",
      };
      return (await fetch(`${origin}/signup`, again)).status;
    })
    .toBe(200);
});

test.each([
  [
    "an asset",
    "/_next/static/a.js",
    (response: ServerResponse) => response.writeHead(200, { "Content-Type": "text/javascript" }).end("1"),
  ],
  ["a redirect", "/keys", (response: ServerResponse) => response.writeHead(307, { Location: "/signin" }).end()],
  ["an error without a head of its own", "/api/auth/nothing", (response: ServerResponse) => response.end("Not found")],
])("%s leaves with the policy of pages", async (_, path, answer) => {
  const origin = await serve(async (_, response) => void answer(response));
  const { headers } = await fetch(origin + path, {
    redirect: "manual",
    headers: { "X-Forwarded-For": "198.51.100.4", "X-Forwarded-Proto": "https" },
  });
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-security-policy": expect.stringContaining("default-src 'none'"),
    "referrer-policy": "no-referrer",
    "strict-transport-security": "max-age=31536000",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
  });
});

test("an existing policy of a response is kept", async () => {
  const origin = await serve(async (_, response) => {
    response.setHeader("Content-Security-Policy", "sandbox");
    response.setHeader("Referrer-Policy", "same-origin");
    response.end();
  });
  const { headers } = await fetch(`${origin}/files/content?id=a`, { headers: { "X-Forwarded-For": "198.51.100.5" } });
  expect([headers.get("content-security-policy"), headers.get("referrer-policy")]).toEqual(["sandbox", "same-origin"]);
});
