import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { hostname } from "node:os";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { log } from "@/lib/platform/log";
import { declareServer } from "@/lib/platform/network/network";
import { frontOf } from "@/server/front";
import { receive } from "@/server/incoming";
import { get, listen, type Seen, type Settings, send } from "./service";

beforeAll(declareServer);
vi.spyOn(log, "warn").mockImplementation(() => {});

const OURS = ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-latchkey-network"];

/** What both kinds of handlers see: `headers` is read by Next, `rawHeaders` by the API's adapter. */
async function seen(front: Settings, lines: string[], target = "/account"): Promise<Seen> {
  await using service = await listen(front);
  const answer = await get(service.port, target, lines);
  expect(answer.status, answer.body).toBe(200);
  const request: Seen = JSON.parse(answer.body);
  for (const name of [...OURS, "host", "x-request-id"])
    expect(request.rawHeaders[name], name).toEqual([request.headers[name]]);
  return request;
}

const forwarded = ({ headers }: Seen) => OURS.map((name) => headers[name]);
const BEHIND = "shared unconfigured_proxy_loopback";
const FOR = (...addresses: string[]) => `X-Forwarded-For: ${addresses.join(", ")}`;
const CLIENT = FOR("198.51.100.1");
const SPOOFED = [CLIENT, "X-Forwarded-Host: other.localhost", "x-forwarded-proto: https"];
const CLAIMED = "_for_x-forwarded-for=";
const LIED = ["198.51.100.1", `shared unconfigured_proxy_198.51.100.1${CLAIMED}203.0.113.9`] as const;
const TOLD = ["198.51.100.1", "remote 198.51.100.1"] as const;
const HERE = ["127.0.0.1", BEHIND] as const;

test.each<[string, string | undefined, string[], [address: string, network: string, host?: string, scheme?: string]]>([
  ["without a proxy, at another port", undefined, [], [...HERE]],
  ["headers that nobody vouches for", undefined, SPOOFED, ["127.0.0.1", `${BEHIND}${CLAIMED}198.51.100.1`]],
  ["one proxy", "loopback", SPOOFED, [...TOLD, "other.localhost", "https"]],
  ["one proxy, past which the client lies", "loopback", [FOR("203.0.113.9", "198.51.100.1")], [...LIED]],
  ["the same in lines of their own", "loopback", [FOR("203.0.113.9"), CLIENT], [...LIED]],
  [
    "two proxies that both name a host and a scheme",
    "loopback private",
    [
      FOR("198.51.100.1", "10.0.0.1"),
      "X-Forwarded-Host: forged.example, outer.localhost, inner.localhost",
      "X-Forwarded-Proto: http, https",
      "X-Forwarded-Proto: http",
    ],
    [...TOLD, "outer.localhost", "https"],
  ],
  [
    "two proxies of which the last writes all",
    "loopback private",
    [FOR("198.51.100.1", "10.0.0.1"), "X-Forwarded-Host: outer.localhost", "X-Forwarded-Proto: https"],
    [...TOLD, "outer.localhost", "https"],
  ],
  ["a proxy that sends only a host", "loopback", ["X-Forwarded-Host: a.localhost"], [...HERE, "a.localhost"]],
  ["a scheme of a proxy's own making", "loopback", [CLIENT, "X-Forwarded-Proto: gopher"], [...TOLD]],
])("forwarded headers, %s", async (_, proxies, lines, [address, network, host = "keys.localhost", scheme = "http"]) => {
  const request = await seen({ proxies }, ["Host: Keys.Localhost", ...lines]);
  expect(forwarded(request)).toEqual([address, host, scheme, network]);
});

test("a program of this machine, without a proxy", async () => {
  await using service = await listen();
  const { body } = await get(service.port, "/account", [`Host: Keys.Localhost:${service.port}`]);
  const { headers }: Seen = JSON.parse(body);
  expect(headers).toMatchObject({
    "x-forwarded-host": `keys.localhost:${service.port}`,
    "x-latchkey-network": "local loopback",
  });
});

test("the configured address wins over whatever host was asked for", async () => {
  const origin = "https://keys.example.org:8443";
  const request = await seen({ proxies: "loopback", origin }, ["Host: localhost:3000", ...SPOOFED]);
  expect(forwarded(request)).toEqual(["198.51.100.1", "keys.example.org:8443", "https", "remote 198.51.100.1"]);
  expect(request.headers.host).toBe("localhost:3000");
});

test("what clients claim about themselves in our headers is removed", async () => {
  const lines = [
    "Host: keys.localhost",
    "X-Latchkey-Network: local loopback",
    "x-latchkey-other: 1",
    "X-Request-Id: mine",
    "X-Forwarded-Port: 1",
    "Accept: text/html",
  ];
  const { headers, rawHeaders } = await seen({}, lines);
  expect(headers["x-latchkey-network"]).toBe(BEHIND);
  expect(headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  for (const name of ["x-latchkey-other", "x-forwarded-port"])
    expect([headers[name], rawHeaders[name]]).toEqual([undefined, undefined]);
  expect([headers.accept, rawHeaders.accept]).toEqual(["text/html", ["text/html"]]);
});

test("the API builds its addresses from the host that was checked, never from a forwarded one", async () => {
  await using service = await listen();
  const lines = ["Host: keys.localhost:8080", "X-Forwarded-Host: evil.example"];
  const { body } = await get(service.port, "/openapi.json", lines);
  expect(JSON.parse(body).servers).toEqual([{ url: "http://keys.localhost:8080" }]);
});

test.each(["keys.localhost", "KEYS.localhost.:1", "127.0.0.1:3000", "[::1]:3000", "a_b.localhost", "192.168.1.7"])(
  "Host: %s is a host",
  async (host) => {
    expect((await seen({}, [`Host: ${host}`])).headers["x-forwarded-host"]).toBe(host.toLowerCase());
  },
);

const OWN = hostname().toLowerCase();
const PUBLIC = "https://keys.example.org:8443";

test.each<[string, string | undefined, string, string[]]>([
  ["the public one", PUBLIC, "Keys.Example.ORG.", []],
  ["at another port, as proxies write it", PUBLIC, "keys.example.org:3000", []],
  ["an address", PUBLIC, "10.0.0.5:3000", []],
  ["an address of IPv6", PUBLIC, "[fd00::5]", []],
  ["localhost", PUBLIC, "localhost:3000", []],
  ["this machine's name", undefined, OWN, []],
  ["its first part", PUBLIC, `${OWN.split(".")[0]}:3000`, []],
  ["its name in a home's network", undefined, `${OWN.split(".")[0]}.local`, []],
  ["what a trusted proxy forwards", PUBLIC, "upstream.example", [CLIENT, "X-Forwarded-Host: keys.example.org"]],
  [
    "what it forwards from HTTPS, where none is set",
    undefined,
    "upstream.example",
    [CLIENT, "X-Forwarded-Host: keys.example.org", "X-Forwarded-Proto: https"],
  ],
  ["an internal name that a trusted proxy uses", PUBLIC, "latchkey_servers", [CLIENT]],
])("a host that is this service's own: %s", async (_, origin, host, lines) => {
  await using service = await listen({ proxies: "loopback", origin });
  for (const path of ["/account", "/openapi.json", "/health"])
    expect((await get(service.port, path, [`Host: ${host}`, ...lines])).status, path).not.toBe(421);
});

test("any host that monitors use is this service's own", async () => {
  await using service = await listen({ origin: PUBLIC });
  for (const path of ["/health", "/ready?a", "/metrics"])
    expect((await get(service.port, path, ["Host: pod-7.example"])).status, path).not.toBe(421);
});

describe("a host that is not is refused", () => {
  test.each<[string, string | undefined, string, string[]]>([
    ["a name that leads here (DNS rebinding)", undefined, "evil.test:3000", []],
    ["the same where a public one is set", PUBLIC, "evil.test", []],
    ["a name below the public one", PUBLIC, "www.keys.example.org", []],
    ["one that begins like an address", undefined, "127.0.0.1.evil.test", []],
    ["one that begins like this machine's", undefined, `${OWN}.evil.test`, []],
    ["one that ends like localhost", undefined, "evillocalhost", []],
    ["a name without a dot", undefined, "router", []],
    ["what nobody vouches for", PUBLIC, "evil.test", ["X-Forwarded-Host: keys.example.org"]],
    ["what a trusted proxy passes on", PUBLIC, "evil.test", [CLIENT]],
    [
      "what it forwards",
      PUBLIC,
      "keys.example.org",
      [CLIENT, "X-Forwarded-Host: evil.test", "X-Forwarded-Proto: https"],
    ],
    ["what it forwards from HTTP", undefined, "localhost", [CLIENT, "X-Forwarded-Host: evil.test"]],
  ])("%s", async (name, origin, host, lines) => {
    await using service = await listen({ proxies: name.startsWith("what nobody") ? undefined : "loopback", origin });
    for (const path of ["/account", "/link/code", "/openapi.json", "/healthy", "/api/auth/csrf"]) {
      const answer = await get(service.port, path, [`Host: ${host}`, ...lines]);
      expect([answer.status, JSON.parse(answer.body).code], path).toEqual([421, "misdirected_request"]);
      expect(answer.body).toContain("NEXTAUTH_URL");
    }
  });

  test("also in a target in absolute form, whatever its Host", async () => {
    await using service = await listen();
    const { status } = await get(service.port, "http://evil.test/account", ["Host: localhost"]);
    expect(status).toBe(421);
  });

  test("whatever the method, and for a WebSocket", async () => {
    await using service = await listen();
    const upgrade = "Connection: close, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13";
    for (const method of ["OPTIONS", "HEAD", "POST"])
      for (const more of ["Connection: close", upgrade]) {
        const text = `${method} /link/code HTTP/1.1\r\nHost: evil.test\r\nContent-Length: 0\r\n${more}\r\n\r\n`;
        expect((await send(service.port, text)).status, `${method} ${more}`).toBe(421);
      }
  });

  test("as a page for a person", async () => {
    await using service = await listen();
    const { status, body } = await get(service.port, "/account", ["Host: evil.test", "Accept: text/html"]);
    expect([status, body]).toEqual([421, expect.stringContaining("<h1>Wrong address</h1>")]);
  });
});

test.each([
  ...["", "a b", "evil.example/path", "user@evil.example", "a,b", "a.example:99999", "a.example:x", "[::1"],
  ...["<script>", "é.example", "%61.example", `${"a".repeat(300)}.example`],
])("Host: %s is refused", async (host) => {
  await using service = await listen();
  for (const target of ["/account", "/health"]) {
    const answer = await get(service.port, target, [`Host: ${host}`]);
    expect([answer.status, JSON.parse(answer.body).code], answer.body).toEqual([400, "bad_request"]);
    expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  }
});

test("a host that is missing, sent twice, or forwarded and no host is refused", async () => {
  await using service = await listen({ proxies: "loopback" });
  for (const lines of [[], ["Host: a.example", "Host: b.example"], ["Host: a.example", "X-Forwarded-Host: a b"]])
    expect((await get(service.port, "/account", lines)).status, String(lines)).toBe(400);
});

test("a client of HTTP/1.0 without a host, as a balancer that checks a server, is told where it arrived", async () => {
  await using service = await listen();
  const { status, body } = await send(service.port, "GET /account HTTP/1.0\r\n\r\n");
  expect([status, JSON.parse(body).headers["x-forwarded-host"]]).toEqual([200, `127.0.0.1:${service.port}`]);
  expect((await send(service.port, "GET /health HTTP/1.0\r\n\r\n")).status).toBe(200);
});

test("a target in absolute form is taken apart, and its host counts", async () => {
  const request = await seen({}, ["Host: other.example"], "http://keys.localhost/account?a=1");
  expect([request.url, request.headers.host, request.headers["x-forwarded-host"]]).toEqual([
    "/account?a=1",
    "keys.localhost",
    "keys.localhost",
  ]);
  expect((await seen({}, ["Host: other.example"], "http://keys.localhost?a=1")).url).toBe("/?a=1");
});

test("bytes beyond ASCII become the UTF-8 that they are", () => {
  const request = new IncomingMessage(new Socket());
  request.httpVersion = "1.1";
  request.rawHeaders = ["Host", "keys.localhost"];
  request.url = Buffer.from("/account?name=é€😀").toString("latin1");
  receive(request, frontOf(undefined, undefined));
  expect(request.url).toBe("/account?name=%C3%A9%E2%82%AC%F0%9F%98%80");
});

test("non-ASCII bytes that Node's parser refuses get a sentence that says what to do", async () => {
  await using service = await listen();
  const { status, body } = await get(service.port, "/account?name=é");
  if (status === 200) expect(JSON.parse(body).url).toBe("/account?name=%C3%A9");
  else expect([status, JSON.parse(body).code, body.includes("percent-encoded")]).toEqual([400, "bad_request", true]);
});
