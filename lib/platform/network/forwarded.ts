import type { IncomingHttpHeaders } from "node:http";
import {
  type Address,
  edgeWith,
  isAmong,
  locationOf,
  networkId,
  type Proxies,
  parseAddress,
  rangeWith,
} from "../addresses";
import { DAY_MS } from "../time";
import { LOOPS, NAMING, REPLACED } from "./edges";
import { type Network, networkBehind } from "./network";

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
    | "edge" // trusted proxies say that it is the client, and a header of a proxy in front names another
    | "silent" // it is in TRUSTED_PROXIES, and names no client
    | "unnamed"; // it is neither, but passes on what was sent to another address
  /** The address of the proxy. */
  proxy: string;
  place: ReturnType<typeof locationOf>;
  /** The content delivery network that publishes this address. */
  edge?: string;
  /** The header that names another client. */
  header?: string;
}

/** What identifies the sender of a request. */
export interface Arrival {
  /** The connection's other end; undefined if it is closed. */
  peer: string | undefined;
  headers: IncomingHttpHeaders;
  /** Whether a peer that sends no header of a proxy is one nevertheless: this was sent to another address. */
  isPassedOn(): boolean;
}

export type FindClient = (arrival: Arrival) => Client;

/** What follows for a peer before its headers are read. */
interface Peer {
  address: Address;
  isTrusted: boolean;
  /** The client if it sends no header of a proxy. */
  direct: Client;
  /** The same if it passes on what was sent to another address. */
  passing: Client;
}

/** A proxy that was noticed counts, and `doctor` reports it, for so long. */
export const PROXIES_REMEMBERED_MS = 7 * DAY_MS;

/** An address, how many trusted proxies are on the way from it, and whether one of these is on the internet. */
interface Way {
  address: Address;
  hops: number;
  isOverEdge: boolean;
}

/** Maximum number of remembered peers. Beyond it, all are forgotten. */
const MAX_PEERS = 10_000;
/** Entries of X-Forwarded-For that are read, and characters of other headers. Nobody has more proxies. */
const MAX_ENTRIES = 32;
const MAX_TEXT = 500;

const DISCONNECTED: Client = { network: networkBehind(), address: "unknown", hops: 0 };

/** What any proxy writes of whoever is before it: no sign that this is the client. */
const BY_ANY_PROXY = new Set(["x-real-ip", "forwarded"]);

/** Headers that proxies write, by their names in lower case. */
const isOfProxy = (name: string) =>
  name.startsWith("x-forwarded-") || name === "via" || NAMING.has(name) || LOOPS.has(name);

/** Any such header shows that there is a proxy, or somebody pretending to be one. */
function isForwarded(headers: IncomingHttpHeaders): boolean {
  for (const name in headers) if (isOfProxy(name)) return true;
  return false;
}

/** Believes forwarded headers of these proxies only (contract, section 1: client address). */
export function clientFinder(proxies: Proxies): FindClient {
  const peers = new Map<string, Peer>();

  return ({ peer: name, headers, isPassedOn }) => {
    const peer = name === undefined ? undefined : (peers.get(name) ?? remember(name));
    if (!peer) return DISCONNECTED;
    if (!isForwarded(headers)) return !peer.isTrusted && isPassedOn() ? peer.passing : peer.direct;
    if (!peer.isTrusted) {
      const before = headerText(headers["x-forwarded-for"]);
      return behind(peer.address, "untrusted", { claims: claimsOf(headers, { before, by: peer.address, proxies }) });
    }
    return clientNamedBy(peer.address, headers, proxies);
  };

  function remember(name: string): Peer | undefined {
    const address = parseAddress(name);
    if (!address) return undefined;
    if (peers.size >= MAX_PEERS) peers.clear();
    const isTrusted = isAmong(address, proxies);
    const passing = behind(address, "unnamed");
    const peer = { address, isTrusted, direct: directly(address, isTrusted), passing };
    peers.set(name, peer);
    return peer;
  }
}

/**
 * The client that a trusted peer names (a platform's has no address). From the last entry of X-Forwarded-For to the
 * first, as far as trusted proxies wrote them: anybody may have written the earlier ones.
 */
export function clientNamedBy(peer: Address | undefined, headers: IncomingHttpHeaders, proxies: Proxies): Client {
  const forwardedFor = headerText(headers["x-forwarded-for"]);
  let nearest = peer;
  let hops = 1;
  let isOverEdge = false;
  for (let end = forwardedFor.length; ; hops++) {
    isOverEdge ||= nearest !== undefined && locationOf(nearest) === "public";
    const edge = nearest && rangeWith(nearest, proxies)?.[2];
    const named = edge?.header === undefined ? undefined : lastAddress(edge.header, headerText(headers[edge.header]));
    const next = named && rangeWith(named, proxies);
    if (named && !next) return checked({ address: named, hops, isOverEdge }, headers, proxies);
    // A program that runs at the edge: many have that address. Another edge names its own client.
    if (named && (next?.[2] === undefined || next[2] === edge))
      return { network: networkBehind(networkId(named)), address: named.toString(), hops };
    if (end <= 0) break;
    const comma = forwardedFor.lastIndexOf(",", end - 1);
    const address = parseAddress(forwardedFor.slice(comma + 1, end).trim());
    const before = forwardedFor.slice(0, Math.max(0, comma));
    if (!address || hops === MAX_ENTRIES)
      return behind(nearest, "silent", { hops, claims: claimsOf(headers, { before, by: nearest, proxies }) });
    if (!isAmong(address, proxies)) {
      if (comma > 0)
        return behind(address, "untrusted", { hops, claims: claimsOf(headers, { before, by: address, proxies }) });
      return checked({ address, hops, isOverEdge }, headers, proxies);
    }
    nearest = address;
    end = comma;
  }
  // The outermost is a client next to the proxies, unless it is on this machine or an edge: then it is a proxy in
  // front of a proxy.
  const isProxy = (address: Address) =>
    hops === 1 || locationOf(address) === "loopback" || rangeWith(address, proxies)?.[2] !== undefined;
  if (nearest && !isProxy(nearest)) return checked({ address: nearest, hops: hops - 1, isOverEdge }, headers, proxies);
  return behind(nearest, "silent", {
    hops: Math.max(1, hops - 1),
    claims: claimsOf(headers, { by: nearest, proxies }),
  });
}

/**
 * The client that trusted proxies name, unless a header says that it is a proxy, too: a content delivery network in
 * front of them, say. Whoever writes such a header is believed against themselves only. It need not be an address: a
 * proxy may hide its clients ("unknown", RFC 7239, section 6).
 */
function checked({ address, hops, isOverEdge }: Way, headers: IncomingHttpHeaders, proxies: Proxies): Client {
  let other: string | undefined;
  let isVouchedFor = hops > 1 && isOverEdge;
  const isClient = (entry: string) => {
    const named = parseAddress(entry);
    return named !== undefined && networkId(named) === networkId(address);
  };
  for (const name in headers) {
    if (!NAMING.has(name)) continue;
    const others = entriesOf(name, headerText(headers[name])).filter((entry) => entry !== "" && !isOf(proxies, entry));
    if (others.length === 0) continue;
    const isNamed = name === REPLACED ? others.some(isClient) : others.every(isClient);
    if (isNamed) isVouchedFor ||= !BY_ANY_PROXY.has(name);
    // The header of a content delivery network says more.
    else if (other === undefined || other === REPLACED) other = name;
  }
  if (!isVouchedFor) for (const name in headers) if (LOOPS.has(name)) other ??= name;
  return other === undefined
    ? remote(address, hops)
    : behind(address, "edge", { hops, claims: claimsOf(headers, { by: address, proxies }), header: other });
}

/** Whether this is the address of one of these proxies. */
function isOf(proxies: Proxies, entry: string): boolean {
  const address = parseAddress(entry);
  return address !== undefined && isAmong(address, proxies);
}

/** Who claims something of the client: the proxy at `by`, whose entry in X-Forwarded-For follows `before`. */
interface Claiming {
  before?: string;
  by: Address | undefined;
  proxies: Proxies;
}

/**
 * What these headers, and that proxy, claim of the client. Proxies are no clients, and neither are private addresses
 * beside another: what is the same for everybody would be the share of one client.
 */
function claimsOf(headers: IncomingHttpHeaders, { before = "", by, proxies }: Claiming): string[] {
  const claims: [name: string, address: Address][] = [];
  const isBy = (address: Address) => by !== undefined && networkId(address) === networkId(by);
  const add = (name: string, text: string) => {
    const address = lastAddress(name, text, (one) => isAmong(one, proxies) || isBy(one));
    if (address && edgeWith(address) === undefined) claims.push([name, address]);
  };
  for (const name in headers) if (NAMING.has(name)) add(name, headerText(headers[name]));
  add("x-forwarded-for", before);
  const isPublic = ([, address]: (typeof claims)[number]) => locationOf(address) === "public";
  const telling = claims.some(isPublic) ? claims.filter(isPublic) : claims;
  return telling.map(([name, address]) => `${name}=${networkId(address)}`).sort();
}

/** The last address in a header, before those that are passed over; undefined if the one there is none. */
function lastAddress(name: string, text: string, isPassedOver = (_: Address) => false): Address | undefined {
  for (const entry of entriesOf(name, text)) {
    const address = parseAddress(entry);
    if (!address || !isPassedOver(address)) return address;
  }
  return undefined;
}

/** What stands in a header where addresses do, the last first. */
function entriesOf(name: string, text: string): string[] {
  const written = text.slice(-MAX_TEXT);
  const entries =
    name === "forwarded"
      ? [...written.matchAll(/(?:^|[;,\s])for="?([^";,\s]*)/gi)].map(([, entry = ""]) => entry)
      : written.split(",");
  // Amazon writes the port after the address, without brackets.
  const port = name === "cloudfront-viewer-address" ? /:\d+$/ : "";
  return entries.reverse().map((entry) => entry.trim().replace(port, ""));
}

/** A trusted proxy always names a client: without a header it is a silent one, on this machine, too. */
function directly(address: Address, isTrusted: boolean): Client {
  if (isTrusted) return behind(address, "silent");
  if (locationOf(address) !== "loopback") return remote(address, 0);
  return { network: { id: networkId(address), kind: "local" }, address: address.toString(), hops: 0 };
}

function remote(address: Address, hops: number): Client {
  return { network: { id: networkId(address), kind: "remote" }, address: address.toString(), hops };
}

function behind(
  proxy: Address | undefined,
  why: Gap["why"],
  { hops = 0, claims = [], header }: { hops?: number; claims?: string[]; header?: string } = {},
): Client {
  if (!proxy) return DISCONNECTED;
  const address = proxy.toString();
  return {
    network: networkBehind(networkId(proxy), claims),
    address,
    hops,
    gap: {
      ...{ why, proxy: address, place: locationOf(proxy), edge: edgeWith(proxy) },
      header: header && (NAMING.get(header) ?? LOOPS.get(header)),
    },
  };
}

export function headerText(header: string | string[] | undefined): string {
  return Array.isArray(header) ? header.join(",") : (header ?? "");
}
