import { env } from "@/lib/env";
import { isBehindServer } from "@/lib/network";

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
