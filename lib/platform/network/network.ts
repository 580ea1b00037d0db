import { locationOf, networkId, parseAddress, parseNetwork, writeNetwork } from "../addresses";
import { env } from "../env";
import { perProcess } from "../process";

/**
 * The source of a request, as far as limits and the device link need it (contract, section 1: client address). `id` is
 * an IPv4 address, an IPv6 /64, "loopback", or a word if there is no address.
 */
export interface Network {
  id: string;
  kind:
    | "local" // from this machine, through no proxy: never limited as a guesser
    | "remote"
    | "shared" // through a proxy that nobody configured, or that names no client: nobody's own network
    | "unknown"; // nobody vouches for an address: limits by network are off
}

/** The header in which `server.ts` passes the network to the handlers. An incoming one is removed. */
export const NETWORK_HEADER = "x-latchkey-network";

const BEHIND = "unconfigured proxy";
const UNKNOWN: Network = { id: "unknown", kind: "unknown" };

/** The network of everybody behind one proxy, named after the proxy's network, if nobody vouches for the clients. */
export function networkBehind(proxy?: string): Network {
  return { id: proxy === undefined ? BEHIND : `${BEHIND} ${proxy}`, kind: "shared" };
}

/**
 * The id under which limits count a network: its own. But a sender of forwarded headers from an internet address is
 * counted together with requests from there without them; otherwise a header that anybody can write would double every
 * limit.
 */
export function countedAs(id: string): string {
  if (!id.startsWith(`${BEHIND} `)) return id;
  const proxy = id.slice(BEHIND.length + 1);
  const address = parseAddress(proxy.replace(/\/64$/, ""));
  return address && locationOf(address) === "public" ? proxy : id;
}

/** A network that somebody names as events do: by an address in it, a prefix or a word. Undefined if it is none. */
export function networkNamed(input: string): string | undefined {
  const address = parseAddress(input);
  if (address) return networkId(address);
  // Of a network that was blocked.
  const range = parseNetwork(input);
  if (range) return writeNetwork(range);
  const isWord = ["loopback", UNKNOWN.id, BEHIND].includes(input) || input.startsWith(`${BEHIND} `);
  return isWord ? input : undefined;
}

/** The network under which limits count a client: see `countedAs`. */
export function limitedAs(network: Network): Network {
  const id = countedAs(network.id);
  return id === network.id ? network : { id, kind: "remote" };
}

/**
 * The networks around an IPv6 /64, narrow to wide: its /56 and its /48, which one customer of a provider often has
 * whole. None for an IPv4 address, or without an address.
 */
export function widerNetworks(id: string): string[] {
  const groups = /^(.+)::\/64$/.exec(id)?.[1]?.split(":");
  if (groups?.length !== 4) return [];
  const [a, b, c, d = "0"] = groups;
  const upperByte = (Number.parseInt(d, 16) & 0xff00).toString(16);
  return [`${a}:${b}:${c}:${upperByte}::/56`, `${a}:${b}:${c}::/48`];
}

/** The network of a request in a handler. Only `server.ts` and Vercel can vouch for one. */
export function clientNetwork(headers: Headers): Network {
  if (isBehindServer()) {
    const vouched = headers.get(NETWORK_HEADER);
    // A request that Next itself created did not come through the server.
    if (!vouched) return networkBehind();
    const space = vouched.indexOf(" ");
    return { kind: vouched.slice(0, space) as Network["kind"], id: vouched.slice(space + 1).replaceAll("_", " ") };
  }
  return env.VERCEL ? lastNamed(headers.get("x-forwarded-for")) : UNKNOWN;
}

/** The platform's one proxy writes the last entry. */
function lastNamed(forwardedFor: string | null): Network {
  const address = parseAddress(forwardedFor?.split(",").at(-1)?.trim() ?? "");
  return address ? { id: networkId(address), kind: "remote" } : networkBehind();
}

/** The header's value for `network`. */
export function networkHeader(network: Network): string {
  return `${network.kind} ${network.id.replaceAll(" ", "_")}`;
}

const server = perProcess("server", () => ({ isDeclared: false }));

/** `server.ts` declares that every request of this process passes through it. */
export function declareServer(): void {
  server.isDeclared = true;
}

/** Whether every request of this process passes through `server.ts`. */
export function isBehindServer(): boolean {
  return server.isDeclared;
}
