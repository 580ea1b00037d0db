import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { networkHeader, networkOf, splitForwardedFor } from "@/lib/network";

const seen = (peer: string | undefined, forwardedFor: string[] = [], hops = 0) => networkOf(peer, forwardedFor, hops);

describe("without a proxy", () => {
  test.each(["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1", "0:0:0:0:0:0:0:1"])("%s is this machine", (peer) => {
    expect(seen(peer)).toEqual({ id: "loopback", kind: "local" });
  });

  test.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::FFFF:203.0.113.7", "203.0.113.7"],
    ["::ffff:cb00:7107", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0db8:0001:0002::1", "2001:db8:1:2::/64"],
    ["2001:DB8::1", "2001:db8:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["64:ff9b::203.0.113.7", "64:ff9b:0:0::/64"],
  ])("%s is the network %s", (peer, id) => {
    expect(seen(peer)).toEqual({ id, kind: "remote" });
  });

  test("a peer that is gone already has no address", () => {
    expect(seen(undefined).kind).toBe("shared");
  });
});

describe("behind proxies", () => {
  test("the last trusted proxy's entry counts, and what a client wrote before it does not", () => {
    expect(seen("127.0.0.1", ["198.51.100.1", "203.0.113.7"], 1)).toEqual({ id: "203.0.113.7", kind: "remote" });
    expect(seen("10.0.0.1", ["198.51.100.1", "203.0.113.7", "10.0.0.2"], 2)).toEqual({ id: "203.0.113.7", kind: "remote" });
  });

  test("a shorter chain than configured gives its first entry", () => {
    expect(seen("10.0.0.1", ["203.0.113.7"], 3)).toEqual({ id: "203.0.113.7", kind: "remote" });
  });

  test("a proxy nobody configured puts everybody into one bucket", () => {
    expect(seen("127.0.0.1", ["203.0.113.7"], 0).kind).toBe("shared");
    expect(seen("::1", ["198.51.100.9"], 0).id).toBe(seen("127.0.0.1", ["203.0.113.7"], 0).id);
  });

  test("a stranger's forged header is worth nothing while no proxy is trusted", () => {
    expect(seen("198.51.100.1", ["203.0.113.7"], 0)).toEqual({ id: "198.51.100.1", kind: "remote" });
  });

  test.each(["unknown", "_hidden", "", "999.1.1.1", "203.0.113.7, evil"])("an entry %j that is no address is the shared bucket", (entry) => {
    expect(seen("127.0.0.1", [entry], 1).kind).toBe("shared");
  });

  test.each([
    ["203.0.113.7:4711", "203.0.113.7"],
    ["[2001:db8::1]:4711", "2001:db8:0:0::/64"],
    ["[2001:db8::1]", "2001:db8:0:0::/64"],
  ])("an entry %s with a port is understood", (entry, id) => {
    expect(seen("127.0.0.1", [entry], 1)).toEqual({ id, kind: "remote" });
  });

  test("a header is split at its commas", () => {
    expect(splitForwardedFor(" 203.0.113.7 ,, 10.0.0.1")).toEqual(["203.0.113.7", "10.0.0.1"]);
    expect(splitForwardedFor(null)).toEqual([]);
  });
});

describe("always", () => {
  test("two addresses of one /64 are one network, and two of different ones are two", () => {
    const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
    const groups = (length: number) => fc.array(group, { minLength: length, maxLength: length });
    const prefix = groups(4).filter(([first]) => first !== "0");
    fc.assert(
      fc.property(prefix, prefix, groups(4), groups(4), (here, there, one, other) => {
        const id = (front: string[], back: string[]) => seen([...front, ...back].join(":")).id;
        expect(id(here, one)).toBe(id(here, other));
        expect(id(here, one) === id(there, one)).toBe(here.join() === there.join());
      }),
    );
  });

  test("any text as an address gives a network that fits into a header", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(3), (text, hops) => {
        const header = networkHeader(seen("127.0.0.1", [text], hops));
        expect(header).toMatch(/^(?:local|remote|shared|unknown) [\x21-\x7e]+$/);
      }),
    );
  });
});
