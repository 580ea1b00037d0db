import { parseProxies } from "@/lib/addresses";
import { clientFinder, type FindClient } from "./client";
import { type ProxyWarnings, proxyWarnings } from "./proxy-warnings";

/** What stands in front of this process. */
export interface Front {
  findClient: FindClient;
  /** The address that people open, where it is configured (NEXTAUTH_URL). */
  origin: URL | undefined;
  warnings: ProxyWarnings;
}

/** The front that TRUSTED_PROXIES and NEXTAUTH_URL describe. `note` is told of each kind of proxy near by that is not named, once. */
export function frontOf(trustedProxies: string | undefined, origin: string | undefined, note: (proxy: string) => void = () => {}): Front {
  return {
    findClient: clientFinder(parseProxies(trustedProxies ?? "") ?? []),
    origin: origin === undefined ? undefined : new URL(origin),
    warnings: proxyWarnings(trustedProxies, origin, note),
  };
}
