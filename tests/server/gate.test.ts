import { createServer } from "node:http";
import { connect } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { migrate } from "@/lib/db/migrate";
import { declareServer } from "@/lib/network";
import { frontOf } from "@/server/front";
import { lanes } from "@/server/lanes";
import type { HostileRequest } from "@/tests/support/hostile-request";
import { hostileRequests } from "@/tests/support/hostile-requests";

beforeAll(async () => {
  declareServer();
  await migrate();
});

interface Told {
  status: number;
  head: string;
  body: string;
  /** How often Next was asked. */
  reachedNext: number;
}

/** Sends bytes, and reads until an answer is there whole. */
async function send(bytes: Buffer): Promise<Told> {
  let reachedNext = 0;
  const pages = lanes(
    async (request, response) => {
      reachedNext++;
      request.resume();
      response.end("page");
    },
    frontOf(undefined, undefined),
  );
  const server = createServer({ requireHostHeader: false, maxHeaderSize: 262_144 + 16_384 }, pages);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const text = await new Promise<string>((resolve) => {
    let received = "";
    const socket = connect(address.port, "127.0.0.1", () => socket.write(bytes)).setEncoding("latin1");
    socket.on("data", (chunk) => {
      received += chunk;
      const length = /content-length: (\d+)/i.exec(received)?.[1];
      const end = received.indexOf("\r\n\r\n");
      if (end < 0 || (length !== undefined && received.length - end - 4 < Number(length))) return;
      resolve(received);
      socket.destroy();
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(received));
  });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  const [head = "", body = ""] = text.split(/\r\n\r\n(.*)/s);
  return { status: Number(head.split(" ")[1]), head: head.toLowerCase(), body, reachedNext };
}

const refused = hostileRequests.filter(({ refused }) => refused !== undefined);
const named = (requests: readonly HostileRequest[]) => requests.map((request) => [request.name, request] as const);

test.each(named(refused))("%s is refused before Next hears of it", async (_, { refused, lane, bytes }) => {
  const answer = await send(bytes());
  expect([answer.status, answer.reachedNext]).toEqual([refused, 0]);
  const isPage = /accept: text\/html/i.test(bytes().subarray(0, 600_000).toString("latin1"));
  expect(answer.head).toContain(isPage ? "content-type: text/html" : "content-type: application/json");
  expect(answer.head).toMatch(/x-request-id: [0-9a-f-]{36}/);
  if (isPage) expect(answer.body).toContain("<h1>");
  else expect(JSON.parse(answer.body)).toMatchObject({ success: false, code: expect.stringMatching(/^[a-z_]+$/) });
  if (lane === "api") return;
  for (const header of [
    "content-security-policy",
    "referrer-policy",
    "x-content-type-options: nosniff",
    "x-frame-options: deny",
  ])
    expect(answer.head).toContain(header);
});

const ofApi = hostileRequests.filter(({ lane, refused }) => lane === "api" && refused === undefined);
test.each(named(ofApi))("%s is answered by the API itself, and builds nothing of it", async (_, { bytes }) => {
  expect((await send(bytes())).status).toBeGreaterThanOrEqual(400);
});

const request = (line: string, headers: string[], body = "") => {
  const length = body ? [`Content-Length: ${body.length}`] : [];
  return Buffer.from([`${line} HTTP/1.1`, "Host: localhost", ...headers, ...length, "", body].join("\r\n"));
};
const ACTION = ["Next-Action: 00", "Content-Type: text/plain;charset=UTF-8"];
const FORM = "Content-Type: application/x-www-form-urlencoded";

describe("what pages and people send still gets through", () => {
  test.each([
    ["50 parameters", request(`GET /signin?${Array(50).fill("a=1").join("&")}`, [])],
    ["an address of 8 KB", request(`GET /signin?next=${"a".repeat(8_000)}`, [])],
    [
      "60 cookies",
      request("GET /account", [
        `Cookie: ${Array.from({ length: 60 }, (_, index) => `c${index}=${"x".repeat(90)}`).join("; ")}`,
      ]),
    ],
    [
      "a page's data",
      request("GET /keys?_rsc=1a2b", ["RSC: 1", "Next-Router-State-Tree: %5B%22%22%2C%7B%7D%5D", "Next-Url: /keys"]),
    ],
    ["an action", request("POST /signup", ACTION, '["alice","a password"]')],
    ["an action of 64 KB", request("POST /files", ACTION, JSON.stringify(["x".repeat(65_000)]))],
    [
      "a key's data, every letter of it escaped",
      request("POST /keys", ACTION, JSON.stringify([{ data: "\u0001".repeat(65_536) }])),
    ],
    ["brackets in a string", request("POST /keys", ACTION, JSON.stringify(["[".repeat(5_000), '"{\\'.repeat(100)]))],
    [
      "a form of an action",
      request(
        "POST /link",
        ["Next-Action: 00", "Content-Type: multipart/form-data; boundary=b"],
        '--b\r\nContent-Disposition: form-data; name="0"\r\n\r\n["$K1"]\r\n--b--\r\n',
      ),
    ],
    [
      "signing in",
      request("POST /api/auth/callback/credentials", [FORM], "csrfToken=a&username=alice&password=b&json=true"),
    ],
    [
      "a provider's answer",
      request(`GET /api/auth/callback/oidc?code=${"c".repeat(3_000)}&state=${"s".repeat(1_000)}`, []),
    ],
    ["a sweep", request("GET /api/sweep", ["Authorization: Bearer a"])],
    ["an asset", request("GET /_next/static/chunks/a.js?dpl=1", [])],
    ["a picture", request("GET /_next/image?url=%2Fa.png&w=64&q=75", [])],
    ["the archive", request("GET /account/archive", [])],
    ["the reference", request("GET /docs/keys", [])],
    ["a part of an upload", request("PUT /files/uploads/a?offset=0", ["Origin: http://a"], "x".repeat(100_000))],
    ["the end of an upload", request("POST /files/uploads/a", ["Content-Length: 0"])],
    ["an upload that is given up", request("DELETE /files/uploads/a", [])],
    ["a document", request("POST /files/import", [], "x".repeat(1_000_000))],
  ])("%s", async (_, bytes) => {
    expect(await send(bytes)).toMatchObject({ status: 200, reachedNext: 1, body: "page" });
  });
});

test("a body that comes in chunks is counted as it comes", async () => {
  const chunk = `1000\r\n${"a".repeat(4_096)}\r\n`;
  const bytes = Buffer.concat([
    request("POST /signup", [...ACTION, "Transfer-Encoding: chunked"]),
    Buffer.from(chunk.repeat(40)),
  ]);
  expect(await send(bytes)).toMatchObject({ status: 413, reachedNext: 0 });
});

test("an action's body arrives at Next as it was sent", async () => {
  let seen = "";
  const server = createServer(
    lanes(
      async (request, response) => {
        for await (const chunk of request) seen += chunk;
        response.end("done");
      },
      frontOf(undefined, undefined),
    ),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const body = JSON.stringify(["ä€😀".repeat(5_000)]);
  const sent = await fetch(`http://127.0.0.1:${address.port}/signup`, {
    method: "POST",
    headers: { "Next-Action": "00", "Content-Type": "text/plain;charset=UTF-8" },
    body,
  });
  expect([await sent.text(), seen]).toEqual(["done", body]);
  server.closeAllConnections();
  server.close();
});
