import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isAmong, isBlockedPort, networkId, parseAddress, parseProxies } from "@/lib/platform/addresses";
import { newId } from "@/lib/platform/ids";
import { type NetworkLimiter, networkLimiter } from "@/lib/platform/limits/limits";
import { clientFinder } from "@/lib/platform/network/forwarded";
import {
  claimsIn,
  countedAs,
  limitedAs,
  networkBehind,
  networkHeader,
  widerNetworks,
} from "@/lib/platform/network/network";
import { newNetwork } from "@/tests/support/request";

const seen = (peer: string | undefined, forwardedFor?: string, proxies = "") =>
  clientFinder(parseProxies(proxies) ?? [])({
    peer,
    headers: forwardedFor === undefined ? {} : { "x-forwarded-for": forwardedFor },
    isPassedOn: () => false,
  }).network;

describe("without a proxy", () => {
  test.each(["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1", "0:0:0:0:0:0:0:1"])("%s is this machine", (peer) => {
    expect(seen(peer)).toEqual({ id: "loopback", kind: "local" });
  });

  test.each([
    ["203.0.113.7", ["203.0.113.7", "::ffff:203.0.113.7", "::FFFF:203.0.113.7", "::ffff:cb00:7107"]],
    ["2001:db8:1:2::/64", ["2001:db8:1:2:3:4:5:6", "2001:0DB8:0001:0002::1"]],
    ["fe80:0:0:0::/64", ["fe80::1%eth0", "fe80::1%eth0.100"]],
    ["203.0.113.7", ["64:ff9b::203.0.113.7"]],
    ["64:ff9b:0:0::/64", ["64:ff9b::127.0.0.1", "64:ff9b::10.0.0.1"]],
    ["64:ff9b:1:0::/64", ["64:ff9b:1::203.0.113.7"]],
    ["0:0:0:0::/64", ["::cb00:7107", "::7f00:1", "::203.0.113.7", "::127.0.0.1", "0::127.0.0.1", "::0.0.0.0"]],
  ])("%s is the network of %j", (id, peers) => {
    for (const peer of peers) expect(seen(peer), peer).toEqual({ id, kind: "remote" });
  });

  test("a peer that has already disconnected has no address", () => {
    expect(seen(undefined)).toEqual(networkBehind());
    expect(seen(undefined, "203.0.113.7", "private")).toEqual(networkBehind());
  });
});

describe("behind proxies", () => {
  test("where all are proxies' addresses, the first is the client's: somebody in a network of proxies", () => {
    expect(seen("10.0.0.1", "10.0.0.3, 10.0.0.2", "private")).toEqual({ id: "10.0.0.3", kind: "remote" });
  });

  test("an entry that is no address names nobody", () => {
    const words = ["unknown", "_hidden", "", "203.0.113.7 evil", "1.2.3.4%eth0:1"];
    const numbers = ["999.1.1.1", "010.0.0.1", "0x7f.0.0.1", "2130706433", "127.1", "::ffff:0x7f.0.0.1"];
    for (const entry of [...words, ...numbers])
      expect(seen("127.0.0.1", entry, "loopback"), entry).toEqual(networkBehind("loopback"));
  });

  test.each([
    ["203.0.113.7:4711", "203.0.113.7"],
    ["[2001:db8::1]:4711", "2001:db8:0:0::/64"],
    ["[2001:db8::1]", "2001:db8:0:0::/64"],
    ["[::ffff:203.0.113.7]:80", "203.0.113.7"],
    ["::127.0.0.1", "0:0:0:0::/64"],
    ["[::203.0.113.7]:80", "0:0:0:0::/64"],
  ])("an entry %s with a port is understood", (entry, id) => {
    expect(seen("127.0.0.1", ` ${entry} `, "loopback")).toEqual({ id, kind: "remote" });
  });
});

describe("TRUSTED_PROXIES", () => {
  const trusts = (proxies: string, address: string) =>
    isAmong(parseAddress(address) ?? expect.fail(address), parseProxies(proxies) ?? expect.fail(proxies));

  test.each([
    ["loopback", ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"], ["10.0.0.1", "::2"]],
    [
      "private",
      ["10.255.0.1", "172.16.0.1", "172.31.9.9", "192.168.0.1", "fd12::1", "fc00::1"],
      ["127.0.0.1", "172.32.0.1", "100.64.0.1", "169.254.0.1", "fe80::1"],
    ],
    ["linklocal", ["169.254.3.4", "fe80::1%eth0"], ["10.0.0.1", "fec0::1"]],
    ["Loopback, PRIVATE", ["::1", "10.0.0.1"], ["203.0.113.7"]],
    ["203.0.113.7 2001:db8::1", ["203.0.113.7", "::ffff:203.0.113.7", "2001:db8::1"], ["203.0.113.8", "2001:db8::2"]],
    ["::ffff:172.18.0.1", ["172.18.0.1"], ["172.18.0.2"]],
    ["203.0.113.9/24,\n2001:db8:1:2::/64", ["203.0.113.255", "2001:db8:1:2:ffff::"], ["203.0.114.0", "2001:db8:1:3::"]],
    [" , ", [], ["127.0.0.1", "10.0.0.1", "::1"]],
  ])("%j", (proxies, inside, outside) => {
    expect([inside.filter((one) => !trusts(proxies, one)), outside.filter((one) => trusts(proxies, one))]).toEqual([
      [],
      [],
    ]);
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

  test("an address has one network, however it is written", () => {
    const network = (text: string) => networkId(parseAddress(text) ?? expect.fail(text));
    const shortest = (text: string) => new URL(`http://[${text}]`).hostname.slice(1, -1);
    fc.assert(fc.property(fc.ipV6(), (text) => network(text) === network(shortest(text))));
    fc.assert(fc.property(fc.ipV4(), (inner) => network(`::${inner}`) === network(shortest(`::${inner}`))));
  });

  test("any text as an address gives a network that fits into a header", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.ipV4(),
      fc.ipV4Extended(),
      fc.ipV6(),
      fc.mixedCase(fc.constant("::ffff:10.0.0.1%a:[]")),
    );
    fc.assert(
      fc.property(texts, fc.array(texts), fc.constantFrom("", "loopback", "private ::/1"), (peer, entries, proxies) => {
        for (const forwardedFor of [undefined, entries.join(",")])
          for (const from of ["127.0.0.1", peer])
            expect(networkHeader(seen(from, forwardedFor, proxies))).toMatch(
              /^(?:local|remote|shared|unknown) [\x21-\x7e]+$/,
            );
      }),
    );
  });
});

test("limits count who is behind an unnamed proxy of the internet as that proxy, and all others as they are", () => {
  for (const proxy of ["203.0.113.7", "2001:db8:1:2::/64"])
    expect([proxy, networkBehind(proxy).id].map(countedAs)).toEqual([proxy, proxy]);
  for (const near of ["10.0.0.5", "fd00:1:2:3::/64", "loopback"])
    expect(countedAs(networkBehind(near).id)).toBe(`unconfigured proxy ${near}`);
  for (const id of ["loopback", "unknown", "unconfigured proxy"]) expect(countedAs(id)).toBe(id);
});

test("a forger on IPv6 uses up the limit of the whole /48", async () => {
  const limit = networkLimiter(`forged addresses ${newId()}`, 1, { seconds: 60 });
  const within = (subnet: number) => seen(`2001:db8:77:${subnet.toString(16)}::1`, "203.0.113.7").id;
  const allowed = [];
  for (let subnet = 0; subnet < 40; subnet++) allowed.push((await limit.consume(within(256 * subnet))).allowed);
  expect(allowed.filter(Boolean)).toHaveLength(16);
});

test.each([
  ["2001:db8:1:2fe::/64", ["2001:db8:1:200::/56", "2001:db8:1::/48"]],
  ["2001:db8:0:ff::/64", ["2001:db8:0:0::/56", "2001:db8:0::/48"]],
  ["203.0.113.7", []],
  ["loopback", []],
  ["unconfigured proxy", []],
])("%s lies in %j", (id, wider) => {
  expect(widerNetworks(id)).toEqual(wider);
});

test("the ports that count as blocked are those that fetch refuses before it connects", async () => {
  const dispatcher = { dispatch: () => expect.unreachable() };
  for (let port = 1; port < 11_000; port++) {
    const refused = await fetch(`http://127.0.0.1:${port}`, { dispatcher } as RequestInit).catch(
      (error) => error.cause,
    );
    expect([port, isBlockedPort(port)]).toEqual([port, refused.message === "bad port"]);
  }
});

const LIMIT = 8;
const newLimit = () => networkLimiter(`shares ${newId()}`, LIMIT, { seconds: 60 });
const claim = (address: string, header = "cf-connecting-ip") => `${header}=${address}`;

/** How many of so many are allowed, each from the network that `from` says. */
async function allowed(limit: NetworkLimiter, count: number, from: (n: number) => string): Promise<number> {
  let times = 0;
  for (let n = 0; n < count; n++) if ((await limit.consume(from(n))).allowed) times++;
  return times;
}

const edge = () => {
  const { id } = newNetwork();
  return (...claims: string[]) => limitedAs(networkBehind(id, claims)).id;
};

test("one client behind a proxy that nobody configured uses up a quarter of the limit, no more", async () => {
  const [limit, behind] = [newLimit(), edge()];
  expect(await allowed(limit, 50, () => behind(claim("203.0.113.7")))).toBe(LIMIT / 4);
  expect(await allowed(limit, 50, () => behind(claim("203.0.113.8")))).toBe(LIMIT / 4);
  expect((await limit.peek(behind(claim("203.0.113.9")))).allowed).toBe(true);
});

test("nor more by headers beside the proxy's own, or by the addresses of a whole /48", async () => {
  const [limit, behind] = [newLimit(), edge()];
  const own = claim("203.0.113.7");
  expect(await allowed(limit, 50, (n) => behind(own, claim(`192.0.2.${n}`, "true-client-ip")))).toBe(LIMIT / 4);
  expect(await allowed(limit, 50, (n) => behind(claim(`2001:db8:7:${n}::/64`)))).toBe(LIMIT / 4);
  expect((await limit.peek(behind(claim("203.0.113.8")))).allowed).toBe(true);
});

test("what a client writes is not counted for somebody whom the proxy names so", async () => {
  const [limit, behind] = [newLimit(), edge()];
  const disguised = () => behind(claim("203.0.113.7"), claim("203.0.113.8", "true-client-ip"));
  expect(await allowed(limit, 50, disguised)).toBe(LIMIT / 4);
  expect(await allowed(limit, 50, () => behind(claim("203.0.113.8")))).toBe(LIMIT / 4);
});

test("a forger who claims to be many has no more than the limit of the forger's own network", async () => {
  for (const forger of [newNetwork().id, "2001:db8:1:2::/64"]) {
    const limit = newLimit();
    const claimed = (n: number) => limitedAs(networkBehind(forger, [claim(`203.0.113.${n}`)])).id;
    expect(await allowed(limit, 50, claimed)).toBe(LIMIT);
    expect(await allowed(limit, 10, () => forger)).toBe(0);
  }
});

test("the same holds for a proxy near by, which is nobody's network", async () => {
  const limit = newLimit();
  const behind = (n: number) => networkBehind("10.0.0.5", [claim(`203.0.113.${n}`, "x-forwarded-for")]).id;
  expect(await allowed(limit, 50, () => behind(1))).toBe(LIMIT / 4);
  expect(await allowed(limit, 50, behind)).toBe(LIMIT - LIMIT / 4);
});

test("each name has its own limit on a network, and is forgotten for all who counted there", async () => {
  const [limit, behind] = [newLimit(), edge()];
  const person = behind(claim("203.0.113.7"));
  for (let n = 0; n < LIMIT / 4; n++) expect((await limit.consume(person, "alice")).allowed).toBe(true);
  expect((await limit.consume(person, "alice")).allowed).toBe(false);
  expect((await limit.consume(person, "bob")).allowed).toBe(true);
  await limit.clear(person, "alice");
  expect((await limit.consume(person, "alice")).allowed).toBe(true);
});

test("claims count for nothing but shares", () => {
  const { id } = networkBehind("198.51.100.4", [claim("203.0.113.7"), claim("2001:db8:1:2::/64", "x-real-ip")]);
  expect([countedAs(id), countedAs(limitedAs({ id, kind: "shared" }).id)]).toEqual(["198.51.100.4", "198.51.100.4"]);
  expect(claimsIn(id)).toEqual([claim("203.0.113.7"), claim("2001:db8:1::/48", "x-real-ip")]);
  expect(claimsIn("198.51.100.4")).toEqual([]);
});
