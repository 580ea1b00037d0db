import { locationOf, networkId, parseAddress, parseNetwork, writeNetwork } from "../addresses";
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
const CLAIMED = " for ";
/** Nobody vouches for an address. */
export const UNKNOWN: Network = { id: "unknown", kind: "unknown" };

/**
 * The network of everybody behind one proxy, named after the proxy's network, if nobody vouches for the clients.
 * `claims` are what headers say of the client, like "cf-connecting-ip=203.0.113.7": they tell clients apart as far as
 * the proxy writes them itself.
 */
export function networkBehind(proxy?: string, claims: readonly string[] = []): Network {
  const behind = proxy === undefined ? BEHIND : `${BEHIND} ${proxy}`;
  return { id: claims.length === 0 ? behind : `${behind}${CLAIMED}${claims.join(" ")}`, kind: "shared" };
}

/** The id without what headers claim: for what is stored once for each network of somebody, who could claim any. */
export const withoutClaims = (id: string): string => id.split(CLAIMED, 1)[0] ?? id;

/** Whether the id is of a network that is nobody's own. */
export const isBehindProxy = (id: string) => id.startsWith(BEHIND);

/**
 * The id under which limits count a network: its own, whatever headers claim. But a sender of forwarded headers from an
 * internet address is counted together with requests from there without them; otherwise a header that anybody can
 * write would double every limit.
 */
export function countedAs(id: string): string {
  const own = withoutClaims(id);
  if (!own.startsWith(`${BEHIND} `)) return own;
  const proxy = own.slice(BEHIND.length + 1);
  const address = parseAddress(proxy.replace(/\/64$/, ""));
  return address && locationOf(address) === "public" ? proxy : own;
}

/**
 * What headers claim of the clients of this network, each with the widest network around the address. Somebody behind
 * a proxy can add claims, but not remove that of the header that the proxy writes.
 */
export function claimsIn(id: string): string[] {
  const [, claims] = id.split(CLAIMED);
  return (claims?.split(" ") ?? []).map((claim) => {
    const [header = "", address = ""] = claim.split("=");
    return `${header}=${widerNetworks(address).at(-1) ?? address}`;
  });
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

/** The network under which limits count a client: see `countedAs`. Its claims stay. */
export function limitedAs(network: Network): Network {
  if (isBehindProxy(countedAs(network.id)) || !isBehindProxy(network.id)) return network;
  return { id: network.id.slice(BEHIND.length + 1), kind: "remote" };
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

/** The header's value for `network`. */
export function networkHeader(network: Network): string {
  return `${network.kind} ${network.id.replaceAll(" ", "_")}`;
}

/** The network in the header's value. */
export function networkIn(header: string): Network {
  const space = header.indexOf(" ");
  return { kind: header.slice(0, space) as Network["kind"], id: header.slice(space + 1).replaceAll("_", " ") };
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
