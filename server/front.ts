import { parseProxies } from "@/lib/platform/addresses";
import { isOwnHost, leadsToPort } from "@/lib/platform/network/host";
import { clientFinder, type FindClient } from "./forwarded";
import { type ProxyWarnings, proxyWarnings } from "./proxy-warnings";

/** The proxies and the address in front of this process. */
export interface Front {
  findClient: FindClient;
  /** The address that people open, if configured (NEXTAUTH_URL). */
  origin: URL | undefined;
  /** Whether a valid Host is this service's own (contract, section 1: host). */
  isOwnHost(host: string): boolean;
  /** Whether a request for `host` that arrived at `port` names that very port, and people open no other address. */
  leadsToPort(host: string, port: number): boolean;
  warnings: ProxyWarnings;
}

/**
 * The front described by TRUSTED_PROXIES and NEXTAUTH_URL. `note` is called once for each kind of nearby proxy that is
 * not named, or names no client.
 */
export function frontOf(
  trustedProxies: string | undefined,
  address: string | undefined,
  note: (proxy: string, isSilent: boolean) => void = () => {},
): Front {
  const origin = address === undefined ? undefined : new URL(address);
  return {
    findClient: clientFinder(parseProxies(trustedProxies ?? "") ?? []),
    origin,
    isOwnHost: lastRight((host) => isOwnHost(host, origin)),
    leadsToPort: lastRight(
      (host, port) =>
        (origin === undefined || leadsToPort(origin, port)) && leadsToPort(new URL(`http://${host}`), port),
    ),
    warnings: proxyWarnings(trustedProxies, address, note),
  };
}

/** Nearly all requests have the same host. */
function lastRight(isRight: (host: string, port: number) => boolean): (host: string, port?: number) => boolean {
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
