import { connect } from "node:net";
import { encode } from "next-auth/jwt";
import { beforeAll, describe, expect, test } from "vitest";
import { cookieAt, cookieSecrets, SESSION_COOKIE } from "@/lib/accounts/session/session-cookie";
import { endSessions } from "@/lib/accounts/session/sessions";
import { db } from "@/lib/platform/db/client";
import { migrate } from "@/lib/platform/db/migrate";
import { declareServer } from "@/lib/platform/network/network";
import {
  ACTION,
  ACTION_IDS,
  FORM,
  type HostileRequest,
  hostileActions,
  hostileRequests,
  KEY_ACTION,
  MANY_REFERENCES,
  MANY_VALUES,
  TEXT,
} from "@/tests/support/hostile-requests";
import { makeUser, signedIn } from "@/tests/support/user";
import { ask, listen, type Settings } from "./service";

let cookie: string;
let endedCookie: string;
beforeAll(async () => {
  declareServer();
  await migrate();
  const [one, former] = [await signedIn(await makeUser()), await signedIn(await makeUser())];
  [cookie, endedCookie] = await Promise.all([cookieOf(one.sessionId), cookieOf(former.sessionId)]);
  await endSessions(db, former.id);
});

async function cookieOf(sessionId: string): Promise<string> {
  const token = await encode({ token: { sessionId }, secret: cookieSecrets()[0] ?? "" });
  return `Cookie: a=b; ${cookieAt("http://localhost", SESSION_COOKIE).name}=${token}`;
}

const serve = (page: Settings["page"], proxies?: string) =>
  listen({ page, proxies, actions: hostileActions }, { maxHeaderSize: 262_144 + 16_384 });

interface Told {
  status: number;
  head: string;
  body: string;
  reachedNext: number;
}

async function send(bytes: Buffer): Promise<Told> {
  let reachedNext = 0;
  await using service = await serve(async (request, response) => {
    reachedNext++;
    request.resume();
    response.end("page");
  });
  const text = await new Promise<string>((resolve) => {
    let received = "";
    const socket = connect(service.port, "127.0.0.1", () => socket.write(bytes)).setEncoding("latin1");
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
  const [head = "", body = ""] = text.split(/\r\n\r\n(.*)/s);
  return { status: Number(head.split(" ")[1]), head: head.toLowerCase(), body, reachedNext };
}

const refused = hostileRequests.filter(({ refused }) => refused !== undefined);
const named = (requests: readonly HostileRequest[]) => requests.map((request) => [request.name, request] as const);

test.each(named(refused))("%s is refused before Next hears of it", async (_, { refused, lane, bytes }) => {
  const answer = await send(bytes());
  expect([answer.status, answer.reachedNext]).toEqual([refused, 0]);
  const isCall = lane === "action";
  const isPage = !isCall && /accept: text\/html/i.test(bytes().subarray(0, 600_000).toString("latin1"));
  const type = isPage ? "text/html" : isCall ? "text/plain" : "application/json";
  expect(answer.head).toContain(`content-type: ${type}`);
  expect(answer.head).toMatch(/x-request-id: [0-9a-f-]{36}/);
  if (refused === 401) expect(answer.head).toContain("connection: close");
  if (isPage) expect(answer.body).toContain("<h1>");
  else expect(JSON.parse(answer.body)).toMatchObject({ success: false, code: expect.stringMatching(/^[a-z_]+$/) });
  if (lane === "api") return;
  for (const name of [
    "content-security-policy",
    "referrer-policy",
    "x-content-type-options: nosniff",
    "x-frame-options",
  ])
    expect(answer.head).toContain(name);
});

const ofApi = hostileRequests.filter(({ lane, refused }) => lane === "api" && refused === undefined);
test.each(named(ofApi))("%s is answered by the API itself, and builds nothing of it", async (_, { bytes }) => {
  expect((await send(bytes())).status).toBeGreaterThanOrEqual(400);
});

const request = (line: string, headers: string[], body = "") => {
  const length = body ? [`Content-Length: ${body.length}`] : [];
  return Buffer.from([`${line} HTTP/1.1`, "Host: localhost", ...headers, ...length, "", body].join("\r\n"));
};
const CALL = [ACTION, TEXT];
const KEY_CALL = [KEY_ACTION, TEXT];
const MULTIPART = "Content-Type: multipart/form-data; boundary=b";
const member = (bytes: Buffer, from = cookie) =>
  Buffer.concat([
    bytes.subarray(0, bytes.indexOf("\r\n") + 2),
    Buffer.from(`${from}\r\n`),
    bytes.subarray(bytes.indexOf("\r\n") + 2),
  ]);

describe("what pages and people send still gets through", () => {
  test.each([
    [
      "a page's data",
      request("GET /keys?_rsc=1a2b", ["RSC: 1", "Next-Router-State-Tree: %5B%22%22%2C%7B%7D%5D", "Next-Url: /keys"]),
    ],
    ["an action", request("POST /signup", CALL, '["alice","a password"]')],
    ["an action of 4 KB", request("POST /files", CALL, JSON.stringify(["x".repeat(4_000)]))],
    ["brackets in a string", request("POST /keys", CALL, JSON.stringify(["[".repeat(2_000), '"{\\'.repeat(100)]))],
    [
      "text with dollars, dates and nothing",
      request("POST /keys", CALL, '["$$1",["$D2026-11-20T10:00:00.000Z","$undefined"]]'),
    ],
    [
      "a form of an action",
      request(
        "POST /link",
        [ACTION, MULTIPART],
        ['_1_code"\r\n\r\nABCDEF', '0"\r\n\r\n[null,"$K1"]']
          .map((part) => `--b\r\nContent-Disposition: form-data; name="${part}\r\n`)
          .join("")
          .concat("--b--\r\n"),
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
    ["an asset", request("GET /_next/static/chunks/a.js?dpl=1", [])],
    ["a picture", request("GET /_next/image?url=%2Fa.png&w=64&q=75", [])],
    ["the archive", request("GET /account/archive", [])],
    ["the end of an upload", request("POST /files/uploads/a", ["Content-Length: 0"])],
    ["an upload that is given up", request("DELETE /files/uploads/a", [])],
  ])("%s", async (_, bytes) => {
    expect(await send(bytes)).toMatchObject({ status: 200, reachedNext: 1, body: "page" });
  });

  const ofMembers = [
    ["an action of 64 KB", request("POST /files", KEY_CALL, JSON.stringify(["x".repeat(65_000)]))],
    [
      "a key's data, every letter of it escaped",
      request("POST /keys", KEY_CALL, JSON.stringify([{ data: "\u0001".repeat(65_536) }])),
    ],
    [
      "1,000 selected keys",
      request("POST /keys", KEY_CALL, JSON.stringify([Array(1_000).fill("a".repeat(32)), "alice"])),
    ],
    ["a part of an upload", request("PUT /files/uploads/a?offset=0", ["Origin: http://a"], "x".repeat(100_000))],
    ["an upload", request("POST /files/uploads", [], "{}")],
    ["a document", request("POST /files/import", [], "x".repeat(1_000_000))],
  ] as const;
  test.each(ofMembers)("%s of somebody who is signed in, and of nobody else", async (_, bytes) => {
    expect(await send(member(bytes))).toMatchObject({ status: 200, reachedNext: 1, body: "page" });
    expect(await send(bytes)).toMatchObject({ status: 401, reachedNext: 0 });
    expect(await send(member(bytes, endedCookie))).toMatchObject({ status: 401, reachedNext: 0 });
  });
});

test.each([
  ["an import", "POST /files/import", []],
  ["an import in chunks", "POST /files/import", ["Transfer-Encoding: chunked"]],
  ["a part of an upload", "PUT /files/uploads/a?offset=0", []],
  ["a call with a key's data", "POST /keys", KEY_CALL],
  ["a call in chunks", "POST /keys", [...KEY_CALL, "Transfer-Encoding: chunked"]],
])("nobody's body is not waited for: %s is refused by its head alone", async (_, line, headers) => {
  const length = headers.some((header) => header.startsWith("Transfer")) ? [] : ["Content-Length: 300000"];
  const answer = await send(request(line, [...headers, ...length]));
  expect(answer).toMatchObject({ status: 401, reachedNext: 0 });
  expect(answer.head).toContain("connection: close");
});

test.each([
  ["174,000 nested values", request("POST /keys", KEY_CALL, MANY_VALUES)],
  ["2,001 values", request("POST /keys", KEY_CALL, `[[${"1,".repeat(1_999)}1]]`)],
  ["references to a form of 60 fields", request("POST /keys", [KEY_ACTION, MULTIPART], MANY_REFERENCES)],
  ["an upload of 2,001 values", request("POST /files/uploads", [], `[${"1,".repeat(2_000)}1]`)],
])("%s never reach the decoder, whoever sends them", async (_, bytes) => {
  expect(await send(member(bytes))).toMatchObject({ status: 400, reachedNext: 0 });
});

test.each([
  [100, { status: 200, reachedNext: 1 }],
  [101, { status: 431, reachedNext: 0 }],
])("a request with %i headers gets %j", async (count, expected) => {
  const others = Array.from({ length: count - 1 }, (_, n) => `X-${n}: 1`);
  expect(await send(request("GET /keys", others))).toMatchObject(expected);
});

test("a call without a body is refused, too", async () => {
  expect(await send(request("POST /signup", CALL))).toMatchObject({ status: 400, reachedNext: 0 });
  expect(await send(request("POST /signup", [...CALL, "Content-Length: 0"]))).toMatchObject({ status: 400 });
});

test("a body that comes in chunks is counted as it comes", async () => {
  const chunk = `1000\r\n${"a".repeat(4_096)}\r\n`;
  const bytes = Buffer.concat([
    request("POST /signup", [...CALL, "Transfer-Encoding: chunked"]),
    Buffer.from(chunk.repeat(2)),
  ]);
  expect(await send(bytes)).toMatchObject({ status: 413, reachedNext: 0 });
});

test("an action's body arrives at Next as it was sent", async () => {
  let seen = "";
  await using service = await serve(async (request, response) => {
    for await (const chunk of request) seen += chunk;
    response.end("done");
  });
  const body = JSON.stringify(["ä€😀".repeat(400)]);
  const sent = await fetch(`${service.url}/signup`, {
    method: "POST",
    headers: { "Next-Action": ACTION_IDS.strangers, "Content-Type": "text/plain;charset=UTF-8" },
    body,
  });
  expect([await sent.text(), seen]).toEqual(["done", body]);
});

const CHANGED = /^What stands in front of this service changes its address\. .* the service's log says how\.$/;
const ELSEWHERE =
  /^This only works from this service's own pages\. Open the service at its own address and try again\.$/;
const SAME_SITE = "Sec-Fetch-Site: same-site";
const SAME_ORIGIN = "Sec-Fetch-Site: same-origin";

test.each<[string, string, string[], RegExp]>([
  ["its upstream's address", "127.0.0.1:3000", ["Origin: http://keys.lan", SAME_ORIGIN], CHANGED],
  ["its upstream's name", "latchkey", ["Origin: http://keys.lan", SAME_ORIGIN], CHANGED],
  ["another port", "localhost:80", ["Origin: http://localhost:8080", SAME_ORIGIN], CHANGED],
  ["no port, of a browser that says nothing else", "localhost", ["Origin: http://localhost:8080"], CHANGED],
  ["no port, of a page of another port", "localhost", ["Origin: http://localhost:8080", SAME_SITE], ELSEWHERE],
  ["a name, of a page elsewhere", "localhost", ["Origin: http://evil.test", "Sec-Fetch-Site: cross-site"], ELSEWHERE],
  ["its upstream's name, of a browser that says nothing else", "latchkey", ["Origin: http://keys.lan"], CHANGED],
  ["a name, of a page that hides its own", "localhost", ["Origin: null", SAME_ORIGIN], ELSEWHERE],
])("a call is refused, and says why, where a proxy passes on %s", async (_, host, lines, sentence) => {
  await using service = await serve(async () => expect.unreachable(), "loopback");
  const sent = [`Host: ${host}`, "X-Forwarded-For: 198.51.100.4", ...CALL, "Content-Length: 0", ...lines];
  const { status, body } = await ask(service.port, "POST /signup", sent);
  expect([status, JSON.parse(body)]).toEqual([
    403,
    expect.objectContaining({ code: "foreign_origin", error: expect.stringMatching(sentence) }),
  ]);
});

const FROM = { "X-Forwarded-For": "198.51.100.4", "X-Forwarded-Proto": "https" };

test("what Next sends without a head of its own leaves with the policy of pages", async () => {
  await using service = await serve(async (_, response) => response.end("Not found"), "loopback");
  const { headers } = await fetch(`${service.url}/api/auth/nothing`, { headers: FROM });
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-security-policy": expect.stringContaining("default-src 'none'"),
    "referrer-policy": "no-referrer",
    "strict-transport-security": "max-age=31536000",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
  });
});

test.each(["text/javascript", "text/css; charset=UTF-8", "font/woff2"])(
  "of the policy, %s has what concerns what a page loads",
  async (type) => {
    const page: Settings["page"] = async (_, response) => response.writeHead(200, { "Content-Type": type }).end("1");
    await using service = await serve(page, "loopback");
    const { headers } = await fetch(`${service.url}/_next/static/a`, { headers: FROM });
    const sent = [...headers.keys()].filter((name) => /policy|^x-(?!request-id)|strict/.test(name)).sort();
    expect(sent).toEqual(["cross-origin-resource-policy", "strict-transport-security", "x-content-type-options"]);
  },
);

test("an existing policy of a response is kept", async () => {
  const policy = { "Content-Security-Policy": "sandbox", "Referrer-Policy": "same-origin" };
  await using service = await serve(async (_, response) => response.setHeaders(new Map(Object.entries(policy))).end());
  const { headers } = await fetch(`${service.url}/files/content?id=a`, { headers: FROM });
  expect([headers.get("content-security-policy"), headers.get("referrer-policy")]).toEqual(["sandbox", "same-origin"]);
});
