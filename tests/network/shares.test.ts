import { expect, test } from "vitest";
import { newId } from "@/lib/platform/ids";
import { type NetworkLimiter, networkLimiter } from "@/lib/platform/limits/limits";
import { claimsIn, countedAs, limitedAs, networkBehind } from "@/lib/platform/network/network";
import { newNetwork } from "@/tests/support/request";

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
