import { parseProxies } from "@/lib/addresses";
import { clientFinder, type FindClient } from "./client";
import { type ProxyWarnings, proxyWarnings } from "./proxy-warnings";

/** The proxies and the address in front of this process. */
export interface Front {
  findClient: FindClient;
  /** The address that people open, if configured (NEXTAUTH_URL). */
  origin: URL | undefined;
  warnings: ProxyWarnings;
}

/**
 * The front described by TRUSTED_PROXIES and NEXTAUTH_URL. `note` is called once for each kind of nearby proxy that is
 * not named.
 */
export function frontOf(
  trustedProxies: string | undefined,
  origin: string | undefined,
  note: (proxy: string) => void = () => {},
): Front {
  return {
    findClient: clientFinder(parseProxies(trustedProxies ?? "") ?? []),
    origin: origin === undefined ? undefined : new URL(origin),
    warnings: proxyWarnings(trustedProxies, origin, note),
  };
}
