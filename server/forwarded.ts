import { type Address, isAmong, locationOf, networkId, type Proxies, parseAddress } from "@/lib/platform/addresses";
import { type Network, networkBehind } from "@/lib/platform/network/network";

/** The sender of a request, according to the proxies that the operator trusts. */
export interface Client {
  network: Network;
  /** The client's address, or the last trusted one on the way to it. */
  address: string;
  /** How many trusted proxies the request came through. */
  hops: number;
  /** Why the client cannot be identified, and what the operator can do about it. */
  gap?: Gap;
}

export interface Gap {
  why:
    | "untrusted" // it sent forwarded headers, and is not in TRUSTED_PROXIES
    | "silent" // it is in TRUSTED_PROXIES, and names no client
    | "unnamed"; // it is neither, but not a program of this machine that connected directly
  /** The address of the proxy. */
  proxy: string;
  place: ReturnType<typeof locationOf>;
}

/** What identifies the sender of a request. */
export interface Arrival {
  /** The connection's other end; undefined if it is closed. */
  peer: string | undefined;
  /** Whether there is any header of a proxy. */
  isForwarded: boolean;
  /** X-Forwarded-For; may be empty. */
  forwardedFor: string;
  /** Whether it was sent to this port of this machine: a proxy or a tunnel has another address in front. */
  isForPort: boolean;
}

export type FindClient = (arrival: Arrival) => Client;

/** What follows for a peer before its headers are read. */
interface Peer {
  direct: Client;
  /** The client if it is on this machine and passes on what was sent elsewhere, without any header. */
  passing: Client | undefined;
  /** The client if it forwards without being trusted; undefined for a trusted proxy. */
  forwarding: Client | undefined;
}

/** Maximum number of remembered peers. Beyond it, all are forgotten. */
const MAX_PEERS = 10_000;
/** Entries of X-Forwarded-For that are read. Nobody has more proxies. */
const MAX_ENTRIES = 32;

const DISCONNECTED: Client = { network: networkBehind(), address: "unknown", hops: 0 };

/** Believes forwarded headers of these proxies only (contract, section 1: client address). */
export function clientFinder(proxies: Proxies): FindClient {
  const peers = new Map<string, Peer>();

  return ({ peer, isForwarded, forwardedFor, isForPort }) => {
    if (peer === undefined) return DISCONNECTED;
    const cached = peers.get(peer) ?? remember(peer);
    if (!isForwarded) return (isForPort ? undefined : cached?.passing) ?? cached?.direct ?? DISCONNECTED;
    return cached?.forwarding ?? throughProxies(peer, forwardedFor);
  };

  function remember(peer: string): Peer | undefined {
    const address = parseAddress(peer);
    if (!address) return undefined;
    if (peers.size >= MAX_PEERS) peers.clear();
    const isTrusted = isAmong(address, proxies);
    const isHere = locationOf(address) === "loopback";
    const cached = {
      direct: directly(address, isTrusted),
      passing: isHere && !isTrusted ? behind(address, 0, "unnamed") : undefined,
      forwarding: isTrusted ? undefined : behind(address, 0, "untrusted"),
    };
    peers.set(peer, cached);
    return cached;
  }

  /**
   * From the last entry to the first, as far as trusted proxies wrote them: anybody may have written the earlier ones.
   */
  function throughProxies(peer: string, forwardedFor: string): Client {
    let nearest = parseAddress(peer);
    if (!nearest) return DISCONNECTED;
    let hops = 1;
    for (let end = forwardedFor.length; end > 0; hops++) {
      const comma = forwardedFor.lastIndexOf(",", end - 1);
      const address = parseAddress(forwardedFor.slice(comma + 1, end).trim());
      if (!address || hops === MAX_ENTRIES) return behind(nearest, hops, "silent");
      if (!isAmong(address, proxies)) return comma > 0 ? behind(address, hops, "untrusted") : remote(address, hops);
      nearest = address;
      end = comma;
    }
    // The outermost is a client next to the proxies, unless it is on this machine: then it is a proxy in front of a
    // proxy.
    return hops === 1 || locationOf(nearest) === "loopback"
      ? behind(nearest, Math.max(1, hops - 1), "silent")
      : remote(nearest, hops - 1);
  }
}

/** A trusted proxy always names a client: without a header it is a silent one, on this machine, too. */
function directly(address: Address, isTrusted: boolean): Client {
  if (isTrusted) return behind(address, 0, "silent");
  if (locationOf(address) !== "loopback") return remote(address, 0);
  return { network: { id: networkId(address), kind: "local" }, address: address.toString(), hops: 0 };
}

function remote(address: Address, hops: number): Client {
  return { network: { id: networkId(address), kind: "remote" }, address: address.toString(), hops };
}

function behind(proxy: Address, hops: number, why: Gap["why"]): Client {
  const address = proxy.toString();
  return {
    network: networkBehind(networkId(proxy)),
    address,
    hops,
    gap: { why, proxy: address, place: locationOf(proxy) },
  };
}
