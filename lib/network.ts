import { isIPv4, isIPv6 } from "node:net";
import { env } from "./env";

/**
 * Where a request came from, as far as limits and the device link care (contract, section 1: client address).
 * `id` is an IPv4 address, an IPv6 /64, "loopback", or a word for what has no address.
 */
export interface Network {
  id: string;
  kind:
    | "local" // from this machine, through no proxy: never limited as a guesser
    | "remote"
    | "shared" // through a proxy that nobody configured: everybody is in one bucket
    | "unknown"; // nobody vouches for an address: limits by network are off
}

/** The header in which `server.ts` tells the handlers what it found out. An incoming one is removed. */
export const NETWORK_HEADER = "x-latchkey-network";

const LOCAL: Network = { id: "loopback", kind: "local" };
const SHARED: Network = { id: "unconfigured proxy", kind: "shared" };
const UNKNOWN: Network = { id: "unknown", kind: "unknown" };

/**
 * The client's network, from the connection's peer address and the X-Forwarded-For entries (first to last), of which the
 * last `hops` were written by trusted proxies.
 */
export function networkOf(peer: string | undefined, forwardedFor: readonly string[], hops: number): Network {
  const fromLoopback = networkId(peer) === "loopback";
  if (forwardedFor.length === 0) return fromLoopback ? LOCAL : remote(peer);
  if (hops === 0 && fromLoopback) return SHARED;
  return remote(clientAddress(peer, forwardedFor, hops));
}

/** The client's address as the last `hops` entries vouch for it: an address, or whatever a proxy wrote instead of one. */
export function clientAddress(peer: string | undefined, forwardedFor: readonly string[], hops: number): string | undefined {
  if (hops === 0) return peer;
  const chain = [...forwardedFor, peer];
  return chain[Math.max(0, chain.length - 1 - hops)];
}

/** The network of a request that a handler sees. Only `server.ts` and Vercel can vouch for one. */
export function clientNetwork(headers: Headers): Network {
  if (isBehindServer()) {
    const vouched = headers.get(NETWORK_HEADER);
    // A request that Next made up by itself did not come in through the server.
    if (!vouched) return SHARED;
    const [kind, id] = vouched.split(" ", 2) as [Network["kind"], string];
    return { kind, id: id.replaceAll("_", " ") };
  }
  if (env.VERCEL) return networkOf(undefined, splitForwardedFor(headers.get("x-forwarded-for")), 1);
  return UNKNOWN;
}

/** The header's value for `network`. */
export function networkHeader(network: Network): string {
  return `${network.kind} ${network.id.replaceAll(" ", "_")}`;
}

export function splitForwardedFor(header: string | null | undefined): string[] {
  return (header ?? "")
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

const perProcess = globalThis as typeof globalThis & { latchkeyServer?: true };

/** `server.ts` says that every request of this process passes through it. */
export function declareServer(): void {
  perProcess.latchkeyServer = true;
}

/** Whether every request of this process passes through `server.ts`. */
export function isBehindServer(): boolean {
  return perProcess.latchkeyServer === true;
}

function remote(address: string | undefined): Network {
  const id = networkId(address);
  return id ? { id, kind: "remote" } : SHARED;
}

/** IPv4 as it is, IPv6 as its /64, all of loopback as one; undefined for what is no address. */
function networkId(address: string | undefined): string | undefined {
  if (!address) return undefined;
  const plain = withoutPort(address.replace(/^::ffff:(?=\d+\.)/i, ""));
  if (isIPv4(plain)) return plain.startsWith("127.") ? "loopback" : plain;
  if (!isIPv6(plain)) return undefined;
  const groups = expand(plain);
  if (groups.slice(0, 7).every((group) => group === "0") && groups[7] === "1") return "loopback";
  if (groups.slice(0, 5).every((group) => group === "0") && groups[5] === "ffff")
    return networkId([groups[6], groups[7]].flatMap((group) => [Number.parseInt(group ?? "0", 16) >> 8, Number.parseInt(group ?? "0", 16) & 255]).join("."));
  return `${groups.slice(0, 4).join(":")}::/64`;
}

/** Some proxies write "203.0.113.7:4711" or "[2001:db8::1]:4711". */
function withoutPort(address: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(address);
  if (bracketed?.[1]) return bracketed[1];
  const ported = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address);
  return ported?.[1] ?? address;
}

/** The eight groups of an IPv6 address, without leading zeros. */
function expand(address: string): string[] {
  const hex = address
    .replace(/%.*$/, "")
    .toLowerCase()
    .replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) => `${((+a << 8) | +b).toString(16)}:${((+c << 8) | +d).toString(16)}`);
  const [head = "", tail] = hex.split("::");
  const front = head === "" ? [] : head.split(":");
  const back = !tail ? [] : tail.split(":");
  const middle = tail === undefined ? [] : Array<string>(8 - front.length - back.length).fill("0");
  return [...front, ...middle, ...back].map((group) => group.replace(/^0+(?=.)/, ""));
}
