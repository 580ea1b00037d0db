import { isIP } from "node:net";
import { env } from "@/lib/platform/env";
import { ApiError } from "@/lib/platform/errors";

/** Whom passkeys belong to: browsers use them on this origin only, and authenticators file them under this host. */
export interface RelyingParty {
  /** The host, without a port: the RP ID. */
  id: string;
  origin: string;
}

/**
 * The relying party of the address that people open, or null if browsers allow no passkeys there. Without NEXTAUTH_URL,
 * a request could name any host, so only localhost counts, for trying out.
 */
export function relyingParty(origin: string): RelyingParty | null {
  const address = env.NEXTAUTH_URL ?? origin;
  const { protocol, hostname } = new URL(address);
  if (hostname === "localhost") return { id: hostname, origin: address };
  const isName = isIP(hostname.replace(/^\[|\]$/g, "")) === 0;
  return env.NEXTAUTH_URL && protocol === "https:" && isName ? { id: hostname, origin: address } : null;
}

/** As `relyingParty`. Throws 403 `passkeys_unavailable`. */
export function requireRelyingParty(origin: string): RelyingParty {
  const party = relyingParty(origin);
  if (!party) throw new ApiError(403, "passkeys_unavailable", whyNoPasskeys(origin) ?? "");
  return party;
}

/** The host whose passkeys work here; null: none do. Without NEXTAUTH_URL it is that of trying out. */
export function passkeyHost(): string | null {
  return env.NEXTAUTH_URL ? (relyingParty(env.NEXTAUTH_URL)?.id ?? null) : "localhost";
}

/** Why there are no passkeys at this address, and what to do; null if there are. */
export function whyNoPasskeys(origin: string): string | null {
  if (relyingParty(origin)) return null;
  const { protocol, hostname, port } = new URL(env.NEXTAUTH_URL ?? origin);
  if (hostname === "127.0.0.1" || hostname === "[::1]") {
    const byName = `${protocol}//localhost${port && `:${port}`}`;
    const first = env.NEXTAUTH_URL ? `set NEXTAUTH_URL to ${byName}, restart the service, and ` : "";
    return `Passkeys need a name instead of ${hostname}. To try them out, ${first}open ${byName}.`;
  }
  if (protocol === "http:") return "Passkeys need an https:// address. This one is plain http://.";
  if (!env.NEXTAUTH_URL)
    return "Passkeys need a fixed address. The operator of this service can set it as NEXTAUTH_URL.";
  return `Passkeys need a host name. ${hostname} is an IP address.`;
}
