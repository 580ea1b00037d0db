import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Whose addresses may forward requests: networks, each with the length of its prefix. */
export type Proxies = readonly (readonly [Address, number])[];

/** What TRUSTED_PROXIES may name. Carrier NAT (RFC 6598) is left out: other customers of the carrier share it. */
const NAMED: Record<string, string[]> = {
  loopback: ["127.0.0.0/8", "::1/128"],
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
};

export const PROXIES_RULE =
  "must be names (loopback, private, linklocal), addresses or networks like 10.1.2.0/24, apart by commas or blanks, and not the whole internet";

/** The longest that an address is, with brackets, zone and port. */
const LONGEST = 100;

const NAT64 = [0x64, 0xff9b, 0, 0, 0, 0];

/**
 * The address that a text names, or undefined where it names none. A port, brackets and a zone are left off, as proxies write
 * "203.0.113.7:4711" and "[2001:db8::1]:4711". IPv4 in IPv6 is IPv4: mapped (RFC 4291), and translated with the well-known prefix
 * (RFC 6052), or all IPv4 clients of an IPv6-only server would be one network.
 */
export function parseAddress(text: string): Address | undefined {
  if (text.length > LONGEST) return undefined;
  const written = withoutPort(text);
  const plain = written.replace(/%.*$/s, "");
  // The library takes more than addresses: octal and hexadecimal numbers, which no two programs read alike.
  const version = isIP(plain);
  if (version === 0 || (version === 4 && plain !== written)) return undefined;
  // It takes ::127.0.0.1 for 127.0.0.1, but 0::127.0.0.1 for the IPv6 address that both are (RFC 4291, section 2.5.5.1).
  const address = ipaddr.process(plain.replace(/^::(?=\d+\.)/, "0::"));
  return address instanceof ipaddr.IPv6 ? untranslated(address) : address;
}

function withoutPort(text: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
}

function untranslated(address: ipaddr.IPv6): Address {
  const [high = 0, low = 0] = address.parts.slice(6);
  if (!NAT64.every((part, index) => address.parts[index] === part)) return address;
  const inner = new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255]);
  // The prefix is for addresses of the internet alone: nobody comes to be of this machine by it.
  return placeOf(inner) === "public" ? inner : address;
}

/** Where an address is: on this machine, on a network that is not reached from the internet, or on the internet. */
export function placeOf(address: Address): "loopback" | "private" | "public" {
  const range = address.range();
  if (range === "loopback") return range;
  return ["private", "uniqueLocal", "linkLocal", "carrierGradeNat"].includes(range) ? "private" : "public";
}

/** The network that limits and links go by: IPv4 as it is, IPv6 as its /64 ("2001:db8:1:2::/64"), all of loopback as one. */
export function networkId(address: Address): string {
  if (placeOf(address) === "loopback") return "loopback";
  if (address instanceof ipaddr.IPv4) return address.toString();
  const groups = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${groups.join(":")}::/64`;
}

/** The networks that a value of TRUSTED_PROXIES names; undefined where it is not one. */
export function parseProxies(text: string): Proxies | undefined {
  const words = text.split(/[\s,]+/).filter((word) => word !== "");
  const networks = words.flatMap((word) => NAMED[word.toLowerCase()] ?? word).map(parseNetwork);
  return networks.every((network) => network !== undefined) ? networks : undefined;
}

function parseNetwork(text: string): [Address, number] | undefined {
  const [, base = "", length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = isIP(base) === 0 ? undefined : parseAddress(base);
  if (!address) return undefined;
  const bits = address instanceof ipaddr.IPv4 ? 32 : 128;
  if (length === undefined) return [address, bits];
  // A mapped IPv4 network's length would count other bits than its address has.
  const isWritten = isIP(base) === (bits === 32 ? 4 : 6);
  return isWritten && +length >= 1 && +length <= bits ? [address, +length] : undefined;
}

/** Whether one of the networks holds the address. */
export function isAmong(address: Address, proxies: Proxies): boolean {
  return proxies.some(([network, length]) => network.kind() === address.kind() && address.match([network, length]));
}
