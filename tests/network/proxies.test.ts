import { once } from "node:events";
import { get, type IncomingHttpHeaders } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import type { Fault } from "@/lib/operator/doctor/finding";
import { proxies } from "@/lib/operator/doctor/proxies";
import { db } from "@/lib/platform/db/client";
import { env, parseEnvironment } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { ThroughProxy } from "@/lib/platform/network/outgoing";
import { PROXY_RULE, proxyFor, proxySettingsIn } from "@/lib/platform/network/proxy-variables";
import { frontOf } from "@/server/front";
import { noteProxy } from "@/server/proxy-warnings";

const { NEXTAUTH_URL, TRUSTED_PROXIES } = env;
const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
beforeEach(async () => {
  Object.assign(env, { NEXTAUTH_URL: "https://keys.example.org", TRUSTED_PROXIES: "10.0.0.0/24" });
  await db.auditEvent.deleteMany({ where: { subjectId: "proxies" } });
});
afterAll(() => {
  Object.assign(env, { NEXTAUTH_URL, TRUSTED_PROXIES });
  warn.mockRestore();
});

async function found(now = new Date()): Promise<Fault[]> {
  const findings: Fault[] = [];
  for await (const finding of proxies(now)) findings.push(finding);
  // What was seen at the same time may be stored in either order.
  return findings.sort((one, other) => (one.problem < other.problem ? -1 : 1));
}

const forward = (trusted: string | undefined, ...peers: string[]) =>
  pass({ "x-forwarded-for": "203.0.113.7" }, trusted, peers);

async function pass(headers: IncomingHttpHeaders, trusted: string | undefined, peers: string[]): Promise<void> {
  const notes: Promise<void>[] = [];
  const front = frontOf(trusted, env.NEXTAUTH_URL, { note: (proxy) => void notes.push(noteProxy(proxy)) });
  for (const peer of peers) {
    const client = front.findClient({ peer, headers, isPassedOn: () => true });
    front.warnings({ url: "/", headers: {} }, client, { proto: undefined, host: undefined, isOurs: true });
  }
  await Promise.all(notes);
}

test("doctor, another process, names a proxy that the service saw and nobody named, and what to set", async () => {
  await forward(env.TRUSTED_PROXIES, "172.18.0.1", "172.18.0.1", "172.18.0.2", "127.0.0.1");
  expect(await found()).toEqual([
    expect.objectContaining({
      problem: expect.stringContaining("through 127.0.0.1,"),
      advice: "If it is a proxy of yours, set TRUSTED_PROXIES=10.0.0.0/24,loopback.",
    }),
    expect.objectContaining({
      problem: expect.stringContaining("through 172.18.0.1,"),
      advice: "If it is a proxy of yours, set TRUSTED_PROXIES=10.0.0.0/24,172.18.0.1.",
    }),
  ]);
});

test("a silent proxy is reported as one, named or not, with what would help", async () => {
  await pass({}, env.TRUSTED_PROXIES, ["127.0.0.1", "127.0.0.1", "10.0.0.5"]);
  expect(await found()).toEqual([
    expect.objectContaining({
      problem: expect.stringMatching(/^Requests without a client address came through 10\.0\.0\.5, last noticed at 20/),
      advice: expect.stringMatching(/^Have the proxy send X-Forwarded-For\. A tunnel/),
    }),
    expect.objectContaining({
      problem: expect.stringContaining("client address came through 127.0.0.1"),
      advice: expect.stringContaining("X-Forwarded-For, and set TRUSTED_PROXIES=10.0.0.0/24,loopback."),
    }),
  ]);
  expect(await found(new Date(Date.now() + 8 * 86_400_000))).toEqual([]);
});

test("and says no more of it once it is named, or after a week", async () => {
  await forward(undefined, "10.0.0.5");
  expect(await found()).toEqual([]);
  await forward(undefined, "172.18.0.1");
  expect(await found(new Date(Date.now() + 6 * 86_400_000))).toHaveLength(1);
  expect(await found(new Date(Date.now() + 8 * 86_400_000))).toEqual([]);
});

test("whoever writes headers from the internet leaves nothing behind, and others one row a kind at most", async () => {
  const three = (last: number) => [`198.51.100.${last}`, `172.20.0.${last}`, `127.0.0.${last + 1}`];
  await forward(undefined, ...Array.from({ length: 100 }, (_, last) => three(last)).flat());
  const noted = await db.auditEvent.findMany({ where: { subjectId: "proxies" } });
  expect(noted.map(({ detail }) => JSON.parse(detail).proxy).sort()).toEqual(["127.0.0.1", "172.20.0.0"]);
});

test("of an https address, doctor sees by the configuration alone that a proxy is in front", async () => {
  env.TRUSTED_PROXIES = undefined;
  const problem = expect.stringContaining("NEXTAUTH_URL is https");
  const advice = expect.stringMatching(/^Set TRUSTED_PROXIES to the address/);
  expect(await found()).toEqual([{ problem, advice }]);
});

test("a proxy is reported however many edges people pretend to be since, in however many processes", async () => {
  await forward(undefined, "172.18.0.1");
  const pretended = Array.from({ length: 8 }, (_, last) => `198.51.100.${last}`);
  for (let process = 0; process < 6; process++)
    for (const address of pretended) await noteProxy({ proxy: address, isSilent: false, header: "X-Real-IP" });
  const problems = (await found()).map(({ problem }) => problem);
  expect(problems).toContainEqual(expect.stringContaining("through 172.18.0.1,"));
  expect(problems).toHaveLength(9);
  for (let last = 100; last < 130; last++)
    await noteProxy({ proxy: `198.51.100.${last}`, isSilent: false, header: "X-Real-IP" });
  expect(await found()).toHaveLength(21);
});

test.each([
  ["http://proxy:3128", "http://proxy:3128/"],
  ["proxy.corp:3128", "http://proxy.corp:3128/"],
  ["https://user:p%23ss@proxy", "https://user:p%23ss@proxy/"],
  ["", undefined],
])("HTTPS_PROXY=%s leads there, by either name, and only what is encrypted", (value, there) => {
  for (const name of ["HTTPS_PROXY", "https_proxy"]) {
    const settings = proxySettingsIn({ [name]: value });
    expect(proxyFor({ isSecure: true, host: "sso.example.org", port: 443 }, settings)?.href).toBe(there);
    expect(proxyFor({ isSecure: false, host: "sso.example.org", port: 80 }, settings)).toBeUndefined();
  }
});

test.each([
  ["*", "sso.example.org", true],
  ["example.org", "sso.example.org", true],
  ["example.org", "example.org", true],
  ["example.org", "otherexample.org", false],
  [".example.org", "example.org", true],
  ["*.example.org", "a.b.EXAMPLE.org.", true],
  ["a.test, example.org", "sso.example.org", true],
  ["sso.example.org:443", "sso.example.org", true],
  ["sso.example.org:8443", "sso.example.org", false],
  ["10.0.0.0/8", "10.1.2.3", true],
  ["10.0.0.0/8", "11.1.2.3", false],
  ["10.0.0.0/8", "ten.example.org", false],
  ["10.1.2.3", "10.1.2.3", true],
  ["::1", "::1", true],
  ["[fd00::1]:443", "fd00::1", true],
  ["fd00::/8", "fd00::1", true],
  ["", "example.org", false],
  [".", "example.org", false],
])("NO_PROXY=%s, asked for %s: direct is %s", (noProxy, host, isDirect) => {
  const settings = proxySettingsIn({ HTTPS_PROXY: "http://proxy:3128", NO_PROXY: noProxy });
  expect(proxyFor({ isSecure: true, host, port: 443 }, settings) === undefined).toBe(isDirect);
});

test.each(["socks5://127.0.0.1:1080", "http://user:p#ss@proxy:3128", "http://user:100%@proxy:3128", "http://"])(
  "%s as HTTPS_PROXY ends a start with sign-in providers, and no other",
  (value) => {
    const provider = { GITHUB_ID: "a", GITHUB_SECRET: "b" };
    for (const name of ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY"]) {
      expect(() => parseEnvironment({ ...provider, [name]: value })).toThrow(
        `The environment variable ${name.toUpperCase()} is not valid: it ${PROXY_RULE}.`,
      );
      parseEnvironment({ [name]: value });
    }
  },
);

test("a proxy that is silent is given up, with its connection", async () => {
  const sockets: Socket[] = [];
  await using proxy = createServer((socket) => void sockets.push(socket.resume())).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const { port } = proxy.address() as AddressInfo;
  const agent = new ThroughProxy(50, proxySettingsIn({ HTTP_PROXY: `127.0.0.1:${port}` }));
  await expect(once(get("http://issuer.test/", { agent }), "response")).rejects.toThrow("The proxy did not respond.");
  const [socket] = sockets;
  if (socket && !socket.closed) await once(socket, "close");
  expect(sockets).toHaveLength(1);
});
