import { describe, expect, test } from "vitest";
import { countedAs, type Network, networkBehind, withoutClaims } from "@/lib/platform/network/network";
import { type Front, frontOf } from "@/server/front";
import { arrive, heardWarnings, type Sent } from "./arrival";

const { warnings, forget } = heardWarnings();

const [EDGE, PERSON, OTHER] = ["198.51.100.4", "203.0.113.7", "203.0.113.8"];
const CLOUDFLARE = "104.16.1.2";
const FASTLY = "151.101.1.2";
/** The guide's proxy, on this machine, behind an edge: it names what connected to it. */
const through = (front: Front, edge: string, headers: Sent = {}, forwardedFor = edge) =>
  arrive(front, "127.0.0.1", { "X-Forwarded-For": forwardedFor, ...headers }).network;
const trusting = (...trusted: string[]) => frontOf(["loopback", ...trusted].join(), undefined);
const remote = (id: string): Network => ({ id, kind: "remote" });
const seen = (network: Network): Network => ({ ...network, id: withoutClaims(network.id) });

const HEADERS: [name: string, value: string][] = [
  ...["CF-Connecting-IP", "True-Client-IP", "Fastly-Client-IP", "X-Azure-ClientIP", "X-Azure-SocketIP"],
  ...["X-Real-IP", "X-Client-IP", "X-Cluster-Client-IP", "Incap-Client-IP", "X-Sucuri-ClientIP", "Fly-Client-IP"],
  ...["X-Envoy-External-Address", "EO-Connecting-IP", "X-Vercel-Forwarded-For", "Proxy-Client-IP", "X-Forwarded"],
].map((name) => [name, PERSON]);
const WRITTEN: [name: string, value: string][] = [
  ["CloudFront-Viewer-Address", `${PERSON}:46532`],
  ["Forwarded", `For="${PERSON}:4711";proto=https`],
];

describe("a header of an edge that nobody named", () => {
  test.each([...HEADERS, ...WRITTEN])("%s: %s makes the edge nobody's own network, and is told once", (name, value) => {
    const front = trusting();
    for (const person of [PERSON, OTHER]) {
      const network = through(front, EDGE, { [name]: value.replace(PERSON, person) });
      expect(network).toEqual(networkBehind(EDGE, [`${name.toLowerCase()}=${person}`]));
      expect(countedAs(network.id)).toBe(EDGE);
    }
    expect(warnings()).toEqual([expect.stringContaining(name)]);
    expect(warnings()).toEqual([
      expect.stringMatching(/Only if it is yours, set TRUSTED_PROXIES=loopback,198\.51\.100\.4,/),
    ]);
  });

  test.each([...HEADERS, ...WRITTEN])("%s: %s means nothing if it names the client that proxies do", (name, value) => {
    expect(through(trusting(), PERSON, { [name]: value })).toEqual(remote(PERSON));
    expect(through(trusting(EDGE), EDGE, { [name]: value }, `${PERSON}, ${EDGE}`)).toEqual(remote(PERSON));
    expect(warnings()).toEqual([]);
  });

  test.each(["CDN-Loop", "X-Amz-Cf-Id"])(
    "%s names nobody: it counts if nothing else shows who is the client",
    (name) => {
      const loop = { [name]: "cloudflare; loops=1" };
      expect(through(trusting(), EDGE, loop)).toEqual(networkBehind(EDGE));
      expect(warnings()).toEqual([expect.stringContaining(name)]);
      // Whatever connected to the proxy has that address, and more proxies inside know no better.
      expect(through(trusting(), EDGE, { ...loop, "X-Real-IP": EDGE }).kind).toBe("shared");
      expect(through(trusting("private"), EDGE, loop, `${EDGE}, 10.0.0.9`).kind).toBe("shared");
      expect(through(trusting(), PERSON, { ...loop, "True-Client-IP": PERSON })).toEqual(remote(PERSON));
      expect(through(trusting(EDGE), EDGE, loop, `${PERSON}, ${EDGE}`)).toEqual(remote(PERSON));
    },
  );

  test.each([
    // The edge wrote its client, and the trusted proxy added the edge to this, and to nothing else.
    ["Forwarded", `for=${PERSON}, for=${EDGE}`, [`forwarded=${PERSON}`]],
    ["True-Client-IP", `${PERSON}, ${EDGE}`, [`true-client-ip=${PERSON}`]],
    ["Forwarded", "for=_hidden", []],
    ["Forwarded", "for=unknown;proto=https", []],
    ["X-Original-Forwarded-For", "unknown", []],
    ["CF-Connecting-IP", "hidden by its owner", []],
  ])("%s: %s shows that there is somebody else", (name, value, claims) => {
    for (const more of [{}, { "X-Real-IP": EDGE }] as Sent[])
      expect(through(trusting(), EDGE, { [name]: value, ...more })).toEqual(networkBehind(EDGE, claims));
    expect(warnings()).toEqual([expect.stringContaining(name), expect.stringContaining(name)]);
  });

  test.each(["", " ", ","])("that is empty (%j) says nothing", (value) => {
    for (const name of ["CF-Connecting-IP", "X-Original-Forwarded-For", "Forwarded"])
      expect(through(trusting(), PERSON, { [name]: value })).toEqual(remote(PERSON));
  });

  test("may name a trusted proxy, as the second of two proxies does", () => {
    const headers = { "X-Real-IP": "10.0.0.9", Forwarded: `for=${PERSON}, for=10.0.0.9` };
    expect(through(trusting("private"), EDGE, headers, `${PERSON}, 10.0.0.9`)).toEqual(remote(PERSON));
  });

  test("that somebody forges makes the forger nobody, in the bucket of the forger, and nobody else", () => {
    const front = trusting();
    for (const claim of [PERSON, "127.0.0.1", "10.0.0.1", "::1"]) {
      const forger = through(front, EDGE, { "CF-Connecting-IP": claim });
      expect([forger.kind, countedAs(forger.id)]).toEqual([
        claim === PERSON || claim === "10.0.0.1" ? "shared" : "remote",
        EDGE,
      ]);
      expect(through(front, claim === PERSON ? PERSON : OTHER).kind).toBe("remote");
    }
    expect(through(front, EDGE)).toEqual(remote(EDGE));
    expect(through(front, PERSON)).toEqual(remote(PERSON));
  });

  test("that somebody adds behind an edge never makes them the person whom it names", () => {
    const front = trusting();
    const person = through(front, EDGE, { "CF-Connecting-IP": PERSON });
    for (const [name, value] of [...HEADERS, ...WRITTEN]) {
      if (name === "CF-Connecting-IP") continue;
      const other = through(front, EDGE, { "CF-Connecting-IP": OTHER, [name]: value });
      expect([other.kind, other.id === person.id, other.id.includes(`cf-connecting-ip=${OTHER}`)]).toEqual([
        "shared",
        false,
        true,
      ]);
    }
  });

  test("of one edge is told though somebody pretended to be another before, where its addresses are published", () => {
    const front = trusting();
    for (const edge of [EDGE, "198.51.100.5", CLOUDFLARE, "104.17.1.1"])
      through(front, edge, { "CF-Connecting-IP": PERSON });
    expect(warnings()).toEqual([
      expect.stringContaining(EDGE),
      expect.stringMatching(/through 104\.16\.1\.2, .*\. Set TRUSTED_PROXIES=loopback,cloudflare\.$/),
    ]);
  });
});

describe("an edge that TRUSTED_PROXIES names", () => {
  test("says who the client is in its own header, behind the guide's proxy or directly", () => {
    const front = trusting("cloudflare");
    expect(through(front, CLOUDFLARE, { "CF-Connecting-IP": PERSON })).toEqual(remote(PERSON));
    expect(arrive(front, CLOUDFLARE, { "CF-Connecting-IP": PERSON }).network).toEqual(remote(PERSON));
    expect(through(front, "2606:4700::9", { "CF-Connecting-IP": "2001:db8:1:2::3" })).toEqual(
      remote("2001:db8:1:2::/64"),
    );
    expect(warnings()).toEqual([]);
  });

  test("is not believed in what a program at its addresses wrote before", () => {
    const front = trusting("cloudflare");
    const program = through(
      front,
      CLOUDFLARE,
      { "CF-Connecting-IP": "104.25.1.1" },
      `${PERSON}, 104.25.1.1, ${CLOUDFLARE}`,
    );
    expect(program).toEqual(networkBehind("104.25.1.1"));
    const listed = trusting("104.16.0.0/12", "cloudflare");
    for (const program of ["104.25.1.1", "104.28.1.1"])
      expect(
        through(listed, CLOUDFLARE, { "CF-Connecting-IP": program }, `${PERSON}, ${program}, ${CLOUDFLARE}`),
      ).toEqual(networkBehind(program));
  });

  test("is nobody's own network if nothing names the client, not even a header that clients may write", () => {
    for (const [edge, headers] of [
      [CLOUDFLARE, {}],
      [FASTLY, { "Fastly-Client-IP": PERSON }],
    ] as const) {
      const network = through(trusting("cloudflare", "fastly"), edge, headers);
      expect(seen(network)).toEqual(networkBehind(edge));
    }
    expect(through(trusting("fastly"), FASTLY, {}, `${PERSON}, ${FASTLY}`)).toEqual(remote(PERSON));
  });

  test("in front of another one leads to the client of the first", () => {
    const headers = { "CF-Connecting-IP": FASTLY, "Fastly-Client-IP": PERSON };
    const forwardedFor = `${PERSON}, ${FASTLY}, ${CLOUDFLARE}`;
    expect(through(trusting("cloudflare", "fastly"), CLOUDFLARE, headers, forwardedFor)).toEqual(remote(PERSON));
    expect(seen(through(trusting("cloudflare"), CLOUDFLARE, headers))).toEqual(networkBehind(FASTLY));
  });

  test("does not make others believed who are not at its addresses", () => {
    const network = through(trusting("cloudflare"), EDGE, { "CF-Connecting-IP": PERSON });
    expect(seen(network)).toEqual(networkBehind(EDGE));
  });
});

describe("a load balancer that writes X-Forwarded-For alone, which the proxy behind it replaces,", () => {
  const original = (...addresses: string[]): Sent => ({ "X-Original-Forwarded-For": addresses.join(", ") });

  test.each(["10.0.1.7", EDGE])("at %s is noticed by what the proxy passes on of it, and is told once", (balancer) => {
    for (const front of [trusting(), trusting("192.168.0.0/16")]) {
      forget();
      for (const person of [PERSON, OTHER])
        expect(through(front, balancer, { ...original("192.0.2.1", person), "X-Real-IP": balancer })).toEqual(
          networkBehind(balancer, [`x-original-forwarded-for=${person}`]),
        );
      expect(warnings()).toEqual([expect.stringContaining("X-Original-Forwarded-For")]);
    }
    expect(through(trusting("private"), "10.0.1.7", original(PERSON)).kind).toBe("shared");
  });

  test("is none if the proxy read the client there, or there is nothing to read", () => {
    for (const addresses of [[PERSON], [PERSON, EDGE], ["192.0.2.1", PERSON, EDGE, "10.0.0.9"], [""]])
      expect(through(trusting(), PERSON, original(...addresses))).toEqual(remote(PERSON));
    expect(through(trusting("private"), PERSON, original("10.0.0.9"))).toEqual(remote(PERSON));
    expect(through(trusting(EDGE), EDGE, original(PERSON), `${PERSON}, ${EDGE}`)).toEqual(remote(PERSON));
    expect(warnings()).toEqual([]);
  });

  test("is told by the header of a content delivery network if there is one", () => {
    through(trusting(), EDGE, { ...original(PERSON), "CF-Connecting-IP": PERSON });
    expect(warnings()).toEqual([expect.stringContaining("CF-Connecting-IP")]);
  });
});

describe("what headers claim of clients whom nobody vouches for", () => {
  test("leaves out what is the same for all: the proxy itself, trusted ones, and published edges", () => {
    const client = `cf-connecting-ip=${PERSON}`;
    const sent = { "CF-Connecting-IP": PERSON, "X-Real-IP": CLOUDFLARE };
    expect(through(trusting(), CLOUDFLARE, sent)).toEqual(networkBehind(CLOUDFLARE, [client]));
    const unnamed = frontOf("192.0.2.9", undefined);
    for (const same of [CLOUDFLARE, FASTLY, "10.0.0.5", "192.0.2.9"]) {
      const headers = { "X-Forwarded-For": same, "X-Real-IP": same };
      expect(arrive(unnamed, "10.0.0.5", headers).network).toEqual(networkBehind("10.0.0.5"));
      expect(arrive(unnamed, "10.0.0.5", { ...headers, "CF-Connecting-IP": PERSON }).network).toEqual(
        networkBehind("10.0.0.5", [client]),
      );
    }
  });

  test("leaves out private addresses if there are others", () => {
    const claims = (headers: Sent) => arrive(frontOf(undefined, undefined), "10.0.0.5", headers).network;
    const balancer = { "X-Forwarded-For": "10.0.1.7" };
    expect(claims({ ...balancer, "True-Client-IP": PERSON })).toEqual(
      networkBehind("10.0.0.5", [`true-client-ip=${PERSON}`]),
    );
    expect(claims(balancer)).toEqual(networkBehind("10.0.0.5", ["x-forwarded-for=10.0.1.7"]));
  });
});
