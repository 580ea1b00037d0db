import { isIP } from "node:net";
import { hostname } from "node:os";
import { locationOf, parseAddress } from "../addresses";
import { env } from "../env";
import { ApiError, addressChanged, foreignOrigin } from "../errors";
import { isBehindServer } from "./network";

/**
 * The address that people open, without a trailing slash: NEXTAUTH_URL, or else the host that `server.ts` validated
 * (contract, opening paragraph). Plain Next without NEXTAUTH_URL is only for trying out, where the Host header will do.
 * Links with a secret begin with it: forwarded hosts count only from a trusted proxy, and the browser of whoever makes
 * the link writes Host.
 */
export function originOf(request: { headers: Headers }): string {
  if (env.NEXTAUTH_URL) return env.NEXTAUTH_URL;
  if (isBehindServer())
    return `${request.headers.get("x-forwarded-proto")}://${request.headers.get("x-forwarded-host")}`;
  return `http://${request.headers.get("host")}`;
}

/** The address at which programs of this machine reach the service. */
export function localAddress(port: number): string {
  const { HOST = "::" } = env;
  const isEvery = ["0.0.0.0", "::"].includes(HOST);
  return `http://${isEvery ? "localhost" : HOST.includes(":") ? `[${HOST}]` : HOST}:${port}`;
}

/** The request names a host that is not this service's own (contract, section 1: host). */
export const misdirectedRequest = () =>
  new ApiError(
    421,
    "misdirected_request",
    `This service is not available under this host name. Open it at ${
      env.NEXTAUTH_URL ?? "its own address, which its operator sets in NEXTAUTH_URL"
    }. If you did, a proxy in front of it passes on another name: its operator can correct that, the log says how.`,
  );

/** What a page's request says of where it comes from. `null` and undefined: nothing. */
interface PageOrigin {
  /** The header Origin. */
  origin: string | null | undefined;
  /** The header Sec-Fetch-Site. */
  site: string | null | undefined;
  /** The header Next-Action, which browsers let no page of another origin send. */
  action: string | null | undefined;
  /** The origin at which the request arrived, as proxies pass it on. */
  address: string;
}

/** Of a host with a port. */
const HOST_CHARACTERS = 261;

/**
 * The page whose request something in front of this service sent to another address than the page did: its browser
 * says that it called its own origin or, if it says nothing (to http:// names), an action of ours is called or only the
 * port is missing. Undefined if there is none. Only for what to tell people: a program may send any header, so this
 * permits nothing.
 */
export function changedFrom({ origin, site, action, address }: PageOrigin): URL | undefined {
  if (!origin || !/^https?:/.test(origin) || !URL.canParse(origin)) return undefined;
  const page = new URL(origin);
  if (page.origin === address || page.host.length > HOST_CHARACTERS) return undefined;
  const isPortMissing = page.port !== "" && address.endsWith(`//${page.hostname}`);
  const isOwn = site ? site === "same-origin" : Boolean(action) || isPortMissing;
  return isOwn ? page : undefined;
}

/** 403 `foreign_origin`, for a page's request from another origin than that at which it arrived. */
export function originRefused(page: PageOrigin): ApiError {
  // The log names the change only there.
  const mayBeChanged = env.NEXTAUTH_URL === undefined && isBehindServer();
  return mayBeChanged && changedFrom(page) ? addressChanged() : foreignOrigin(env.NEXTAUTH_URL);
}

/** Requests for these come from load balancers and monitors, which use whatever name they have for this process. */
export const PROBED: readonly string[] = ["/health", "/live", "/ready", "/metrics"];

export const isProbe = (target: string) => PROBED.includes(target.split("?", 1)[0] ?? "");

/** This machine's own names: as it is called, the first part of that, and both in multicast DNS (RFC 6762). */
const MACHINE = new Set(
  [hostname(), hostname().split(".", 1)[0] ?? ""]
    .filter((name) => name !== "")
    .flatMap((name) => [name.toLowerCase(), `${name.toLowerCase()}.local`]),
);

/** Those by which other programs call this service, as in a cluster. */
const ALLOWED = new Set(
  env.ALLOWED_HOSTS?.toLowerCase()
    .split(/[\s,]+/)
    .map((name) => name.replace(/\.$/, "")),
);

/**
 * Whether a valid Host, with or without a port, is this service's own: the public one, this machine's name, one that
 * the operator allows, localhost, or an address. A web page elsewhere can let its own name lead here (DNS rebinding),
 * but none of these. Ports do not count: proxies leave them out, and no page gets at another's by them.
 */
export function isOwnHost(host: string, origin: URL | undefined): boolean {
  const name = nameIn(host);
  const isNamed = MACHINE.has(name) || ALLOWED.has(name);
  return (origin !== undefined && name === nameOf(origin)) || isIP(name) > 0 || isLocalhost(name) || isNamed;
}

/**
 * Throws 421 `misdirected_request`: for handlers without `server.ts` in front, which refuses such requests itself. On
 * Vercel, only the project's own names lead here.
 */
export function requireOwnHost(headers: Headers): void {
  const host = headers.get("host") ?? "localhost";
  const origin = env.NEXTAUTH_URL === undefined ? undefined : new URL(env.NEXTAUTH_URL);
  if (!env.VERCEL && !(URL.canParse(`http://${host}`) && isOwnHost(host, origin))) throw misdirectedRequest();
}

/**
 * Whether a name cannot be registered in public: a container's, or that of a proxy's group of servers. Only a proxy
 * that is trusted may use such a name.
 */
export const isInternalName = (host: string) => !nameIn(host).includes(".");

/**
 * Whether this address leads to this port of this machine, without anything between. `own` is an address of this
 * machine that others have, too, if the connection came over it.
 */
export function leadsToPort(address: URL, port: number, own?: string): boolean {
  if (address.protocol !== "http:" || Number(address.port || 80) !== port) return false;
  const name = nameOf(address);
  const numeric = parseAddress(name);
  if (own !== undefined) return MACHINE.has(name) || numeric?.toString() === parseAddress(own)?.toString();
  // Programs may write no address for this machine.
  if (name === "0.0.0.0" || name === "::") return true;
  return numeric ? locationOf(numeric) === "loopback" : isLocalhost(name);
}

const isLocalhost = (name: string) => name === "localhost" || name.endsWith(".localhost");

/** The name in a valid Host: in lower case, without the port and the last dot. */
export const nameIn = (host: string) => nameOf(new URL(`http://${host}`));

/** Whether the two hosts have one name. Ports do not count. */
export const isSameName = (host: string, { hostname: name }: URL) => nameIn(host) === nameOf(new URL(`http://${name}`));

/** In lower case, without the brackets of an IPv6 address and without the last dot. */
const nameOf = ({ hostname: name }: URL) => name.replace(/^\[(.*)\]$|\.$/, "$1");

/** The same check, which remembers what last passed: nearly all requests have the same host. */
export function lastRight(isRight: (host: string, port: number) => boolean): (host: string, port?: number) => boolean {
  let last: string | undefined;
  let lastPort = 0;
  return (host, port = 0) => {
    if (host === last && port === lastPort) return true;
    if (!isRight(host, port)) return false;
    last = host;
    lastPort = port;
    return true;
  };
}
