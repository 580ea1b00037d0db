import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { EDGES, type Edge } from "./network/edges";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A network: an address, and how many of its first bits count. */
export type AddressRange = readonly [Address, number];

/** Addresses that may forward requests, some of them as the edge of a content delivery network. */
export type Proxies = readonly Proxy[];
type Proxy = readonly [...AddressRange, edge?: Edge];

/** What TRUSTED_PROXIES may name. Carrier NAT (RFC 6598) is left out: other customers of the carrier share it. */
const NAMED: Record<string, string[]> = {
  loopback: ["127.0.0.0/8", "::1/128"],
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
};

export const PROXIES_RULE =
  `must be names (${[...Object.keys(NAMED), ...Object.keys(EDGES)].join(", ")}), addresses or networks like ` +
  "10.1.2.0/24, separated by commas or spaces, and not the whole internet";

/** The maximum length of an address, with brackets, zone and port. */
const MAX = 100;

/** Not the library's range rfc6052, which also has 64:ff9b:1::/48: that is no translation. */
const NAT64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/**
 * The address in a text, or undefined if there is none. A port, brackets and a zone are removed, as proxies write
 * "203.0.113.7:4711" and "[2001:db8::1]:4711". IPv4 in IPv6 counts as IPv4: mapped (RFC 4291), and translated with the
 * well-known prefix (RFC 6052). Otherwise all IPv4 clients of an IPv6-only server would be one network.
 */
export function parseAddress(text: string): Address | undefined {
  if (text.length > MAX) return undefined;
  const written = withoutPort(text);
  const plain = written.replace(/%.*$/s, "");
  // The library accepts more than addresses: octal and hexadecimal numbers, which programs read differently.
  const version = isIP(plain);
  if (version === 0 || (version === 4 && plain !== written)) return undefined;
  // It reads ::127.0.0.1 as 127.0.0.1, but 0::127.0.0.1 as the IPv6 address that both are (RFC 4291, section 2.5.5.1).
  const address = ipaddr.process(plain.replace(/^::(?=\d+\.)/, "0::"));
  return address instanceof ipaddr.IPv6 ? untranslated(address) : address;
}

function withoutPort(text: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
}

function untranslated(address: ipaddr.IPv6): Address {
  if (!address.match(NAT64)) return address;
  const inner = new ipaddr.IPv4(address.toByteArray().slice(12));
  // The prefix applies to internet addresses only: it must not make anybody local to this machine.
  return locationOf(inner) === "public" ? inner : address;
}

/** The location of an address: on this machine, on a network not reachable from the internet, or on the internet. */
export function locationOf(address: Address): "loopback" | "private" | "public" {
  const range = address.range();
  if (range === "loopback") return range;
  return ["private", "uniqueLocal", "linkLocal", "carrierGradeNat"].includes(range) ? "private" : "public";
}

/**
 * The network used by limits and links: IPv4 as it is, IPv6 as its /64 ("2001:db8:1:2::/64"), all of loopback as one.
 */
export function networkId(address: Address): string {
  if (locationOf(address) === "loopback") return "loopback";
  if (address instanceof ipaddr.IPv4) return address.toString();
  // The library's networkAddressFromCIDR parses a text again, for five times as long, and would rename stored networks.
  const groups = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${groups.join(":")}::/64`;
}

/** The networks in a value of TRUSTED_PROXIES; undefined if it is invalid. */
export function parseProxies(text: string): Proxies | undefined {
  const words = text.split(/[\s,]+/).filter((word) => word !== "");
  const networks = words.flatMap((word): (Proxy | undefined)[] => {
    const name = word.toLowerCase();
    const edge = Object.hasOwn(EDGES, name) ? EDGES[name] : undefined;
    const named = (edge?.networks ?? NAMED[name] ?? [word]).map(parseNetwork);
    return edge ? named.map((network) => network && [...network, edge]) : named;
  });
  if (!networks.every((network) => network !== undefined)) return undefined;
  // Of an edge whose networks are listed beside its name, the name counts.
  return networks.sort(([, , edge], [, , other]) => Number(Boolean(other)) - Number(Boolean(edge)));
}

const PUBLISHED = Object.keys(EDGES).map((name) => [name, parseProxies(name) ?? []] as const);

/** The name of the content delivery network that publishes this address as its own, as TRUSTED_PROXIES has it. */
export function edgeWith(address: Address): string | undefined {
  return PUBLISHED.find(([, networks]) => isAmong(address, networks))?.[0];
}

/** The address or network in a text like "203.0.113.0/24"; undefined if there is none. */
export function parseNetwork(text: string): [Address, number] | undefined {
  const [, base = "", length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = isIP(base) === 0 ? undefined : parseAddress(base);
  if (!address) return undefined;
  const bits = address instanceof ipaddr.IPv4 ? 32 : 128;
  if (length === undefined) return [address, bits];
  // The prefix length of a mapped IPv4 network would count other bits than its address has.
  const isWritten = isIP(base) === (bits === 32 ? 4 : 6);
  return isWritten && +length >= 1 && +length <= bits ? [address, +length] : undefined;
}

/**
 * A network as text, without the bits that do not count: "203.0.113.7", "203.0.113.0/24", "2001:db8:1:2::/64". IPv6
 * networks are those of whole /64s. So a client's network is written as in `networkId`.
 */
export function writeNetwork([address, length]: AddressRange): string {
  const bytes = address
    .toByteArray()
    .map((byte, index) => byte & (0xff00 >> Math.max(0, Math.min(8, length - 8 * index))));
  if (address instanceof ipaddr.IPv4) return new ipaddr.IPv4(bytes).toString() + (length === 32 ? "" : `/${length}`);
  const groups = new ipaddr.IPv6(bytes).parts.slice(0, Math.ceil(length / 16));
  return `${groups.map((part) => part.toString(16)).join(":")}::/${length}`;
}

/** Whether the two have an address in common. */
export function overlap(one: Proxy, other: Proxy): boolean {
  return isAmong(one[0], [other]) || isAmong(other[0], [one]);
}

/** Every network that internet clients cannot be in: of this machine, private, or a carrier's. */
export const NOT_PUBLIC: Proxies = [...Object.values(NAMED).flat(), "100.64.0.0/10"].flatMap((text) => {
  const network = parseNetwork(text);
  return network ? [network] : [];
});

/** Whether one of the networks contains the address. */
export function isAmong(address: Address, proxies: Proxies): boolean {
  return rangeWith(address, proxies) !== undefined;
}

/** The first of the networks that contains the address. */
export function rangeWith(address: Address, proxies: Proxies): Proxy | undefined {
  return proxies.find(([network, length]) => network.kind() === address.kind() && address.match([network, length]));
}

/** The blocked ports of the Fetch standard (fetch.spec.whatwg.org, port blocking). */
const BLOCKED_PORTS = new Set([
  ...[0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109],
  ...[
    110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531,
  ],
  ...[532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060],
  ...[5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
]);

/** Whether browsers, and programs with `fetch`, refuse to open this port of any machine. */
export const isBlockedPort = (port: number): boolean => BLOCKED_PORTS.has(port);
