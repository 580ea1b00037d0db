import { beforeEach, describe, expect, test, vi } from "vitest";
import { log } from "@/lib/log";
import { countedAs } from "@/lib/network";
import { frontOf } from "@/server/front";
import { arrive, forwardedFor, type Headers } from "@/tests/server/arrive";

const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
const warnings = () => warn.mock.calls.map(([sentence]) => String(sentence));
beforeEach(() => void warn.mockClear());

const network = (trusted: string | undefined, peer: string, headers?: Headers) =>
  arrive(frontOf(trusted, undefined), peer, headers).network;

const FORWARDED: [string, string][] = [
  ["X-Forwarded-For", "203.0.113.7"],
  ["X-Forwarded-Host", "keys.example"],
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
        ...forwardedFor("203.0.113.7"),
        "X-Forwarded-Host": "evil.example",
        "X-Forwarded-Proto": "https",
      };
      const { sent } = arrive(frontOf(undefined, undefined), peer, headers);
      expect([sent["x-forwarded-host"], sent["x-forwarded-proto"]]).toEqual(["keys.example", "http"]);
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
    { "X-Forwarded-Host": "a.example" },
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
    for (const path of ["/health", "/ready", "/metrics"]) arrive(front, "10.0.0.5", {}, path);
    expect(warnings()).toEqual([]);
  });

  test("on this machine that has a proxy before it which names nobody, makes nobody this machine", () => {
    expect(network("loopback", "127.0.0.1", forwardedFor("127.0.0.1"))).toEqual({
      id: "unconfigured proxy loopback",
      kind: "shared",
    });
    expect(network("loopback", "127.0.0.1")).toEqual({ id: "loopback", kind: "local" });
  });

  test("costs no more however long the chain that somebody writes", () => {
    const front = frontOf("private", undefined);
    const endless = Array(20_000).fill("10.0.0.1").join(",");
    expect(arrive(front, "10.0.0.2", forwardedFor(endless)).network.kind).toBe("shared");
    const reads = vi.spyOn(String.prototype, "lastIndexOf");
    expect(front.findClient("10.0.0.2", true, endless).network.kind).toBe("shared");
    expect(reads.mock.calls.length).toBeLessThanOrEqual(32);
    reads.mockRestore();
  });
});
