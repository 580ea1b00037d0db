import { env } from "@/lib/env";
import { isBehindServer } from "@/lib/network";

/**
 * The address that people open, without a slash at the end: NEXTAUTH_URL, else the host that `server.ts` validated
 * (contract, opening paragraph). A request's own idea of it counts only under plain Next without NEXTAUTH_URL.
 */
export function originOf(request: { headers: Headers; url: string }): string {
  if (env.NEXTAUTH_URL) return env.NEXTAUTH_URL;
  if (isBehindServer()) return `${request.headers.get("x-forwarded-proto")}://${request.headers.get("x-forwarded-host")}`;
  return new URL(request.url).origin;
}
