import { beforeEach, describe, expect, test, vi } from "vitest";
import { log } from "@/lib/log";
import { countedAs } from "@/lib/network";
import { type Front, frontOf } from "@/server/front";
import { arrive, forwardedFor, type Headers } from "@/tests/server/arrive";

const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
const warnings = () => warn.mock.calls.map(([sentence]) => String(sentence));
beforeEach(() => void warn.mockClear());

const network = (trusted: string | undefined, peer: string, headers?: Headers) =>
  arrive(frontOf(trusted, undefined), peer, headers).network;

const FORWARDED: [string, string][] = [
  ["X-Forwarded-For", "203.0.113.7"],
  ["X-Forwarded-Host", "keys.localhost"],
  ["X-Forwarded-Proto", "https"],
  ["Forwarded", "for=203.0.113.7"],
  ["X-Real-IP", "203.0.113.7"],
  ["Via", "1.1 edge"],
  ["CF-Connecting-IP", "203.0.113.7"],
  ["True-Client-IP", "203.0.113.7"],
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
      for (const [name, value] of FORWARDED)
        expect(network(trusted, peer, { [name]: value }), `${name} to ${trusted}`).toEqual({
          id: `unconfigured proxy ${id}`,
          kind: "shared",
        });
  });

  test.each(PEERS)(
    "%s decides nothing by what it writes: scheme, host and address stay those of the connection",
    (peer) => {
      const headers = {
        Host: "keys.localhost",
        ...forwardedFor("203.0.113.7"),
        "X-Forwarded-Host": "evil.example",
        "X-Forwarded-Proto": "https",
      };
      const { sent } = arrive(frontOf(undefined, undefined), peer, headers);
      expect([sent["x-forwarded-host"], sent["x-forwarded-proto"]]).toEqual(["keys.localhost", "http"]);
      expect(sent["x-forwarded-for"]).not.toContain("203.0.113.7");
    },
  );

  test.each(PEERS)("%s has a bucket of its own: nobody else's is spent by it", (peer) => {
    const others = PEERS.filter(
      ([other]) => other !== peer && network(undefined, other).id !== network(undefined, peer).id,
    );
    const mine = network(undefined, peer, forwardedFor("203.0.113.7")).id;
    for (const [other] of others)
      expect(countedAs(network(undefined, other, forwardedFor("203.0.113.7")).id)).not.toBe(countedAs(mine));
  });

  test("of a private network that sends no such header is what it is: a machine at home", () => {
    expect(network(undefined, "192.168.1.7")).toEqual({ id: "192.168.1.7", kind: "remote" });
    expect(network("loopback", "fd00:1:2:3::4")).toEqual({ id: "fd00:1:2:3::/64", kind: "remote" });
  });

  test("of the internet gets no second helping of any limit by writing headers, and no way out of the first", () => {
    for (const peer of ["198.51.100.4", "2001:db8:1:2::3"]) {
      const ids = [undefined, ...FORWARDED].map((header) =>
        countedAs(network(undefined, peer, header && { [header[0]]: header[1] }).id),
      );
      expect(new Set(ids)).toEqual(new Set([network(undefined, peer).id]));
    }
  });

  test("near by is counted apart from who asks from there directly", () => {
    for (const peer of ["127.0.0.1", "172.18.0.1"])
      expect(countedAs(network(undefined, peer, forwardedFor("203.0.113.7")).id)).not.toBe(
        countedAs(network(undefined, peer).id),
      );
  });

  test("never becomes the network that asked for a code there, in either order", () => {
    for (const [peer] of PEERS)
      expect(network(undefined, peer, forwardedFor("203.0.113.7")).id).not.toBe(network(undefined, peer).id);
  });
});

describe("a trusted proxy", () => {
  test("vouches for the last address that is no proxy's", () => {
    expect(network("loopback", "127.0.0.1", forwardedFor("203.0.113.7"))).toEqual({
      id: "203.0.113.7",
      kind: "remote",
    });
    expect(network("private", "::ffff:172.18.0.1", forwardedFor("203.0.113.7", "10.1.1.1"))).toEqual({
      id: "203.0.113.7",
      kind: "remote",
    });
    expect(network("192.0.2.0/24 loopback", "127.0.0.1", forwardedFor("2001:db8:1:2::3", "192.0.2.77"))).toEqual({
      id: "2001:db8:1:2::/64",
      kind: "remote",
    });
  });

  test("cannot be made to vouch for what a client writes in front of it", () => {
    for (const claim of [
      "127.0.0.1",
      "203.0.113.7",
      "10.0.0.1",
      "::1",
      "unknown",
      ",,,",
      "x".repeat(200),
      Array(200).fill("127.0.0.1").join(", "),
    ]) {
      const seen = network("loopback, private", "127.0.0.1", forwardedFor(claim, "198.51.100.9"));
      expect([seen.kind, countedAs(seen.id)]).toEqual(["shared", "198.51.100.9"]);
    }
  });

  test(
    "whose address the port's other visitors do not have: who reaches the port past it does not choose " + "an address",
    () => {
      for (const [peer] of PEERS.filter(([, id]) => id !== "loopback"))
        for (const claim of ["127.0.0.1", "::1", "203.0.113.7"]) {
          const seen = network("loopback", peer, forwardedFor(claim));
          expect([seen.kind, seen.id.includes(claim)]).toEqual(["shared", false]);
        }
    },
  );

  test("in front of which stands one that nobody named: nobody behind that is known", () => {
    const front = frontOf("loopback", undefined);
    expect(arrive(front, "127.0.0.1", forwardedFor("203.0.113.7", "10.0.0.9")).network).toEqual({
      id: "unconfigured proxy 10.0.0.9",
      kind: "shared",
    });
    expect(warnings()).toEqual([
      expect.stringMatching(
        /10\.0\.0\.9, in a private network in front of a trusted proxy.* set TRUSTED_PROXIES=loopback,10\.0\.0\.9\.$/,
      ),
    ]);
    // A person at home who came to the proxy directly.
    expect(arrive(front, "127.0.0.1", forwardedFor("10.0.0.9")).network).toEqual({ id: "10.0.0.9", kind: "remote" });
  });

  test.each<Headers>([
    {},
    { "X-Forwarded-Host": "a.localhost" },
    forwardedFor(""),
    forwardedFor("unknown"),
    forwardedFor("203.0.113.7", "_hidden"),
    forwardedFor("10.7.7.7:port"),
  ])("that names nobody in %j is nobody's own network", (headers) => {
    const front = frontOf("10.0.0.0/16", undefined);
    for (let time = 0; time < 3; time++)
      expect(arrive(front, "10.0.0.5", headers).network).toEqual({ id: "unconfigured proxy 10.0.0.5", kind: "shared" });
    expect(warnings()).toEqual([
      expect.stringMatching(/^10\.0\.0\.5 is in TRUSTED_PROXIES, but sends no client's address.*X-Forwarded-For/),
    ]);
  });

  test("that looks whether the service is there is no reason to warn", () => {
    const front = frontOf("10.0.0.5", undefined);
    for (const path of ["/health", "/ready", "/metrics"]) arrive(front, "10.0.0.5", {}, { url: path });
    expect(warnings()).toEqual([]);
  });

  test("on this machine that has a proxy before it which names nobody, makes nobody this machine", () => {
    expect(network("loopback", "127.0.0.1", forwardedFor("127.0.0.1"))).toEqual({
      id: "unconfigured proxy loopback",
      kind: "shared",
    });
    expect(network("loopback", "127.0.0.1")).toEqual({ id: "unconfigured proxy loopback", kind: "shared" });
    expect(network("10.0.0.5", "127.0.0.1")).toEqual({ id: "loopback", kind: "local" });
  });

  test("costs no more however long the chain that somebody writes", () => {
    const front = frontOf("private", undefined);
    const endless = Array(20_000).fill("10.0.0.1").join(",");
    expect(arrive(front, "10.0.0.2", forwardedFor(endless)).network.kind).toBe("shared");
    const reads = vi.spyOn(String.prototype, "lastIndexOf");
    expect(
      front.findClient({ peer: "10.0.0.2", isForwarded: true, forwardedFor: endless, isForPort: false }).network.kind,
    ).toBe("shared");
    expect(reads.mock.calls.length).toBeLessThanOrEqual(32);
    reads.mockRestore();
  });
});

describe("a peer on this machine without a forwarded header", () => {
  const PUBLIC = "https://keys.example.org";
  type Sent = { Host?: string; version?: string; url?: string };
  const of = (front: Front, { Host = "127.0.0.1:3000", ...how }: Sent = {}) =>
    arrive(front, "127.0.0.1", { Host }, how).network;
  const HERE = { id: "loopback", kind: "local" };
  const BEHIND = { id: "unconfigured proxy loopback", kind: "shared" };

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

  test.each<[string, string | undefined, string | undefined, Sent]>([
    ["nginx's plain proxy_pass in front of the public address", undefined, PUBLIC, {}],
    ["the same without NEXTAUTH_URL, by its version of HTTP", undefined, undefined, { version: "1.0" }],
    ["the guide's set-up, but for X-Forwarded-For", "loopback", PUBLIC, { Host: "keys.example.org" }],
    ["a proxy that was meant to be trusted, without NEXTAUTH_URL", "loopback", undefined, {}],
    ["HAProxy in TCP mode, opened by its name", undefined, PUBLIC, { Host: "keys.example.org" }],
    ["the same by somebody who writes another Host", undefined, PUBLIC, { Host: "localhost:3000" }],
    ["a proxy or a tunnel from another port of this machine", undefined, undefined, { Host: "localhost:8080" }],
    ["one from the usual port", undefined, undefined, { Host: "localhost" }],
    ["one that people open by this machine's address", undefined, undefined, { Host: "192.168.1.5:3000" }],
    ["one whose address is NEXTAUTH_URL", undefined, "http://localhost:8080", {}],
    ["one that ends TLS", undefined, "https://localhost:3000", {}],
  ])("is nobody's own network behind %s, and one warning says what to set", (_, trusted, origin, sent) => {
    const front = frontOf(trusted, origin);
    for (let time = 0; time < 3; time++) expect(of(front, sent)).toEqual(BEHIND);
    expect(warnings()).toEqual([
      trusted
        ? expect.stringMatching(/^127\.0\.0\.1 is in TRUSTED_PROXIES, but sends no client's address.*X-Forwarded-For/)
        : expect.stringMatching(
            /127\.0\.0\.1, a proxy or a tunnel .*X-Forwarded-For, and set TRUSTED_PROXIES=loopback\./,
          ),
    ]);
  });

  test("that looks whether the service is there is no reason to warn, by whatever name", () => {
    const front = frontOf(undefined, PUBLIC);
    for (const url of ["/health", "/ready?a", "/metrics"]) expect(of(front, { url, Host: "pod-7" })).toEqual(BEHIND);
    expect(warnings()).toEqual([]);
  });
});
