import { describe, expect, test, vi } from "vitest";
import { countedAs, type Network, networkBehind, withoutClaims } from "@/lib/platform/network/network";
import { type Front, frontOf } from "@/server/front";
import { arrive, CLIENT, forwardedFor, heardWarnings, type Sent } from "./arrival";

const { warnings } = heardWarnings();

const PUBLIC = "https://keys.example";

const network = (trusted: string | undefined, peer: string, headers?: Sent) =>
  arrive(frontOf(trusted, undefined), peer, headers).network;
const remote = (id: string): Network => ({ id, kind: "remote" });
const behind = (id: string, ...claims: string[]): Network => networkBehind(id, claims);
/** Without what headers claim, which is checked apart. */
const seenFrom = (network: Network): Network => ({ ...network, id: withoutClaims(network.id) });
const HERE = { id: "loopback", kind: "local" };

const FORWARDED: Sent[] = [
  CLIENT,
  { "X-Forwarded-Host": "keys.localhost" },
  { "X-Forwarded-Proto": "https" },
  { Forwarded: "for=203.0.113.7" },
  { "X-Real-IP": "203.0.113.7" },
  { Via: "1.1 edge" },
  { "CF-Connecting-IP": "203.0.113.7" },
  { "True-Client-IP": "203.0.113.7" },
];
const PEERS = [
  ["127.0.0.1", "loopback"],
  ["::1", "loopback"],
  ["::ffff:127.0.0.1", "loopback"],
  ["172.18.0.1", "172.18.0.1"],
  ["::ffff:10.0.0.5", "10.0.0.5"],
  ["fd00:1:2:3::4", "fd00:1:2:3::/64"],
  ["169.254.1.2", "169.254.1.2"],
  ["100.64.0.9", "100.64.0.9"],
  ["198.51.100.4", "198.51.100.4"],
  ["2001:db8:1:2::3", "2001:db8:1:2::/64"],
] as const;

describe("a peer that is not trusted", () => {
  test.each(PEERS)("%s is nobody's own network once it sends a forwarded header, whichever", (peer, id) => {
    for (const trusted of [undefined, "192.0.2.1", "10.9.9.9/32"])
      for (const headers of FORWARDED)
        expect(seenFrom(network(trusted, peer, headers)), `${JSON.stringify(headers)} to ${trusted}`).toEqual(
          behind(id),
        );
  });

  test.each(PEERS)("%s decides nothing by what it writes: scheme, host and address stay the connection's", (peer) => {
    const headers = { ...CLIENT, "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https" };
    const { sent } = arrive(frontOf(undefined, undefined), peer, { Host: "keys.localhost", ...headers });
    expect([sent["x-forwarded-host"], sent["x-forwarded-proto"]]).toEqual(["keys.localhost", "http"]);
    expect(sent["x-forwarded-for"]).not.toContain("203.0.113.7");
  });

  test.each(PEERS)("%s has a bucket of its own: nobody else's is spent by it", (peer, id) => {
    const mine = countedAs(network(undefined, peer, CLIENT).id);
    for (const [other, otherId] of PEERS)
      if (otherId !== id) expect(countedAs(network(undefined, other, CLIENT).id)).not.toBe(mine);
  });

  test("of a private network that sends no such header is what it is: a machine at home", () => {
    expect(network(undefined, "192.168.1.7")).toEqual(remote("192.168.1.7"));
    expect(network("loopback", "fd00:1:2:3::4")).toEqual(remote("fd00:1:2:3::/64"));
  });

  test("of the internet gets no second helping of any limit by writing headers, and no way out of the first", () => {
    for (const peer of ["198.51.100.4", "2001:db8:1:2::3"]) {
      const ids = [undefined, ...FORWARDED].map((headers) => countedAs(network(undefined, peer, headers).id));
      expect(new Set(ids)).toEqual(new Set([network(undefined, peer).id]));
    }
  });

  test("near by is counted apart from who asks from there directly, whose network it never becomes", () => {
    for (const peer of ["127.0.0.1", "172.18.0.1"])
      expect(countedAs(network(undefined, peer, CLIENT).id)).not.toBe(countedAs(network(undefined, peer).id));
    for (const [peer] of PEERS) expect(network(undefined, peer, CLIENT).id).not.toBe(network(undefined, peer).id);
  });
});

describe("a trusted proxy", () => {
  test.each<[string, string, Sent, string]>([
    ["loopback", "127.0.0.1", CLIENT, "203.0.113.7"],
    ["private", "::ffff:172.18.0.1", forwardedFor("203.0.113.7", "10.1.1.1"), "203.0.113.7"],
    ["192.0.2.0/24 loopback", "127.0.0.1", forwardedFor("2001:db8:1:2::3", "192.0.2.77"), "2001:db8:1:2::/64"],
  ])("among %s vouches for the last address that is no proxy's", (trusted, peer, headers, id) => {
    expect(network(trusted, peer, headers)).toEqual(remote(id));
  });

  test.each([
    ..."127.0.0.1 203.0.113.7 10.0.0.1 ::1 unknown ,,,".split(" "),
    "x".repeat(200),
    Array(200).fill("127.0.0.1").join(", "),
  ])("cannot be made to vouch for what a client writes in front of it: %s", (claim) => {
    const seen = network("loopback, private", "127.0.0.1", forwardedFor(claim, "198.51.100.9"));
    expect([seen.kind, countedAs(seen.id)]).toEqual(["shared", "198.51.100.9"]);
  });

  test("is not who reaches the port past it, who chooses no address", () => {
    for (const [peer] of PEERS.filter(([, id]) => id !== "loopback"))
      for (const claim of ["127.0.0.1", "::1", "203.0.113.7"]) {
        const seen = network("loopback", peer, forwardedFor(claim));
        expect([seen.kind, countedAs(seen.id).includes(claim)]).toEqual(["shared", false]);
      }
  });

  test("in front of which stands one that nobody named: nobody behind that is known", () => {
    const front = frontOf("loopback", undefined);
    expect(arrive(front, "127.0.0.1", forwardedFor("203.0.113.7", "10.0.0.9")).network).toEqual(
      behind("10.0.0.9", "x-forwarded-for=203.0.113.7"),
    );
    expect(warnings()).toEqual([
      expect.stringMatching(
        /10\.0\.0\.9, in a private network in front of a trusted proxy.* set TRUSTED_PROXIES=loopback,10\.0\.0\.9\.$/,
      ),
    ]);
    expect(arrive(front, "127.0.0.1", forwardedFor("10.0.0.9")).network).toEqual(remote("10.0.0.9"));
  });

  test.each<Sent>([
    {},
    { "X-Forwarded-Host": "a.localhost" },
    ...[[""], ["unknown"], ["203.0.113.7", "_hidden"], ["10.7.7.7:port"], ["<script>\nlk_secret"]].map((addresses) =>
      forwardedFor(...addresses),
    ),
  ])("that names nobody in %j is nobody's own network, and what was written is not told", (headers) => {
    const front = frontOf("10.0.0.0/16", undefined);
    for (let time = 0; time < 3; time++)
      expect(seenFrom(arrive(front, "10.0.0.5", headers).network)).toEqual(behind("10.0.0.5"));
    expect(warnings()).toEqual([
      expect.stringMatching(/^10\.0\.0\.5 is in TRUSTED_PROXIES, but sends no client address.*X-Forwarded-For/),
    ]);
    expect(warnings()[0]).not.toMatch(/lk_|</);
  });

  test("on this machine that has a proxy before it which names nobody, makes nobody this machine", () => {
    expect(network("loopback", "127.0.0.1", forwardedFor("127.0.0.1"))).toEqual(behind("loopback"));
    expect(network("loopback", "127.0.0.1")).toEqual(behind("loopback"));
    expect(network("10.0.0.5", "127.0.0.1")).toEqual(HERE);
  });

  test("costs no more however long the chain that somebody writes", () => {
    const front = frontOf("private", undefined);
    const endless = Array(20_000).fill("10.0.0.1").join(",");
    const reads = vi.spyOn(String.prototype, "lastIndexOf");
    const headers = { "x-forwarded-for": endless };
    expect(front.findClient({ peer: "10.0.0.2", headers, isPassedOn: () => false }).network.kind).toBe("shared");
    expect(reads.mock.calls.length).toBeLessThanOrEqual(32);
    reads.mockRestore();
  });
});

describe("a peer on this machine without a forwarded header", () => {
  type Opened = { Host?: string; version?: string; url?: string };
  const of = (front: Front, { Host = "127.0.0.1:3000", ...how }: Opened = {}) =>
    arrive(front, "127.0.0.1", { Host }, how).network;

  test.each<[string, string | undefined, string]>([
    ["the address that npm start prints", undefined, "localhost:3000"],
    ["the same by number", undefined, "127.0.0.1:3000"],
    ["by IPv6", undefined, "[::1]:3000"],
    ["in capitals, with the last dot", undefined, "LOCALHOST.:3000"],
    ["where NEXTAUTH_URL is this port, too", "http://localhost:3000", "127.0.0.1:3000"],
  ])("is a program here if it names %s", (_, origin, Host) => {
    expect(of(frontOf(undefined, origin), { Host })).toEqual(HERE);
    expect(warnings()).toEqual([]);
  });

  test.each<[string, string | undefined, string | undefined, Opened]>([
    ["nginx's plain proxy_pass in front of the public address", undefined, PUBLIC, {}],
    ["the same without NEXTAUTH_URL, by its version of HTTP", undefined, undefined, { version: "1.0" }],
    ["the guide's set-up, but for X-Forwarded-For", "loopback", PUBLIC, { Host: "keys.example" }],
    ["a proxy that was meant to be trusted, without NEXTAUTH_URL", "loopback", undefined, {}],
    ["HAProxy in TCP mode, opened by its name", undefined, PUBLIC, { Host: "keys.example" }],
    ["the same by somebody who writes another Host", undefined, PUBLIC, { Host: "localhost:3000" }],
    ["a proxy or a tunnel from another port of this machine", undefined, undefined, { Host: "localhost:8080" }],
    ["one from the usual port", undefined, undefined, { Host: "localhost" }],
    ["one that people open by this machine's address", undefined, undefined, { Host: "192.168.1.5:3000" }],
    ["one whose address is NEXTAUTH_URL", undefined, "http://localhost:8080", {}],
    ["one that ends TLS", undefined, "https://localhost:3000", {}],
  ])("is nobody's own network behind %s, and one warning says what to set", (_, trusted, origin, sent) => {
    const front = frontOf(trusted, origin);
    for (let time = 0; time < 3; time++) expect(of(front, sent)).toEqual(behind("loopback"));
    const sentence = trusted
      ? /^127\.0\.0\.1 is in TRUSTED_PROXIES, but sends no client address.*X-Forwarded-For/
      : /127\.0\.0\.1, a proxy or a tunnel .*X-Forwarded-For, and set TRUSTED_PROXIES=loopback\./;
    expect(warnings()).toEqual([expect.stringMatching(sentence)]);
  });

  test.each([
    [undefined, PUBLIC, "127.0.0.1"],
    ["10.0.0.5", undefined, "10.0.0.5"],
  ])("that looks whether the service is there is no reason to warn (proxies: %s)", (trusted, origin, peer) => {
    for (const url of ["/health", "/ready?a", "/metrics"])
      expect(arrive(frontOf(trusted, origin), peer, { Host: "pod-7" }, { url }).network.kind).toBe("shared");
    expect(warnings()).toEqual([]);
  });
});
