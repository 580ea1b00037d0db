import { env } from "@/lib/env";
import { isBehindServer } from "@/lib/network";

/**
 * The address that people open, without a slash at the end: NEXTAUTH_URL, else the host that `server.ts` validated
 * (contract, opening paragraph). Plain Next without NEXTAUTH_URL is for trying out, where the Host header is as good.
 */
export function originOf(request: { headers: Headers }): string {
  if (env.NEXTAUTH_URL) return env.NEXTAUTH_URL;
  if (isBehindServer()) return `${request.headers.get("x-forwarded-proto")}://${request.headers.get("x-forwarded-host")}`;
  return `http://${request.headers.get("host")}`;
}
