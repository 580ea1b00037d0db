import { parseProxies } from "../addresses";
import { env } from "../env";
import { clientNamedBy } from "./forwarded";
import { isBehindServer, NETWORK_HEADER, type Network, networkBehind, networkIn, UNKNOWN } from "./network";

/** The network of a request in a handler. Only `server.ts` and Vercel can vouch for one. */
export function clientNetwork(headers: Headers): Network {
  // A request that Next itself created did not come through the server.
  if (isBehindServer()) {
    const vouched = headers.get(NETWORK_HEADER);
    return vouched ? networkIn(vouched) : networkBehind();
  }
  return env.VERCEL ? behindPlatform(headers) : UNKNOWN;
}

/** The platform's one proxy writes the last entry, and what is before that is nobody's. */
function behindPlatform(headers: Headers): Network {
  const last = headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() ?? "";
  const proxies = parseProxies(env.TRUSTED_PROXIES ?? "") ?? [];
  return clientNamedBy(undefined, { ...Object.fromEntries(headers), "x-forwarded-for": last }, proxies).network;
}
