import { type Address, isAmong, networkId, type Proxies, parseAddress, placeOf } from "@/lib/addresses";
import { type Network, networkBehind } from "@/lib/network";

/** Who sent a request, as far as those tell whom the operator trusts. */
export interface Client {
  network: Network;
  /** The client's address, or the last that is known on the way to it. */
  address: string;
  /** How many trusted proxies the request came through. */
  hops: number;
  /** Why nobody can tell who it is, and what the operator can do about it. */
  gap?: Gap;
}

export interface Gap {
  why:
    | "untrusted" // it sent forwarded headers, and is not in TRUSTED_PROXIES
    | "silent"; // it is in TRUSTED_PROXIES, and names no client
  /** The address of the proxy. */
  proxy: string;
  place: ReturnType<typeof placeOf>;
}

/** Finds out who sent a request, from the connection's peer and the forwarded headers: X-Forwarded-For, and whether there is any. */
export type FindClient = (peer: string | undefined, isForwarded: boolean, forwardedFor: string) => Client;

/** What is known of a peer before its headers are read. */
interface Peer {
  direct: Client;
  /** What it is when it forwards; undefined where it is trusted to. */
  forwarding: Client | undefined;
}

/** Peers that are remembered. Beyond, all are forgotten. */
const MOST_PEERS = 10_000;
/** Entries of X-Forwarded-For that are looked at. Nobody has so many proxies. */
const MOST_ENTRIES = 32;

const GONE: Client = { network: networkBehind(), address: "unknown", hops: 0 };

/** Believes forwarded headers of these proxies only (contract, section 1: client address). */
export function clientFinder(proxies: Proxies): FindClient {
  const peers = new Map<string, Peer>();

  return (peer, isForwarded, forwardedFor) => {
    if (peer === undefined) return GONE;
    const known = peers.get(peer) ?? remember(peer);
    if (!isForwarded) return known?.direct ?? GONE;
    return known?.forwarding ?? throughProxies(peer, forwardedFor);
  };

  function remember(peer: string): Peer | undefined {
    const address = parseAddress(peer);
    if (!address) return undefined;
    if (peers.size >= MOST_PEERS) peers.clear();
    const isTrusted = isAmong(address, proxies);
    const known = { direct: directly(address, isTrusted), forwarding: isTrusted ? undefined : behind(address, 0, "untrusted") };
    peers.set(peer, known);
    return known;
  }

  /** From the last entry to the first, as far as trusted proxies wrote them: what stands before, anybody may have written. */
  function throughProxies(peer: string, forwardedFor: string): Client {
    let nearest = parseAddress(peer);
    if (!nearest) return GONE;
    let hops = 1;
    for (let end = forwardedFor.length; end > 0; hops++) {
      const comma = forwardedFor.lastIndexOf(",", end - 1);
      const address = parseAddress(forwardedFor.slice(comma + 1, end).trim());
      if (!address || hops === MOST_ENTRIES) return behind(nearest, hops, "silent");
      if (!isAmong(address, proxies)) return comma > 0 ? behind(address, hops, "untrusted") : remote(address, hops);
      nearest = address;
      end = comma;
    }
    // The outermost is a client beside the proxies, but for one of this machine: that is a proxy in front of a proxy.
    return hops === 1 || placeOf(nearest) === "loopback" ? behind(nearest, Math.max(1, hops - 1), "silent") : remote(nearest, hops - 1);
  }
}

function directly(address: Address, isTrusted: boolean): Client {
  if (placeOf(address) === "loopback") return { network: { id: networkId(address), kind: "local" }, address: address.toString(), hops: 0 };
  return isTrusted ? behind(address, 0, "silent") : remote(address, 0);
}

function remote(address: Address, hops: number): Client {
  return { network: { id: networkId(address), kind: "remote" }, address: address.toString(), hops };
}

function behind(proxy: Address, hops: number, why: Gap["why"]): Client {
  const address = proxy.toString();
  return { network: networkBehind(networkId(proxy)), address, hops, gap: { why, proxy: address, place: placeOf(proxy) } };
}
