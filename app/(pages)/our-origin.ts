import { env } from "@/lib/platform/env";
import { foreignOrigin } from "@/lib/platform/errors";
import { originOf } from "@/lib/platform/network/host";

/**
 * Refuses requests from scripts of another origin (CSRF): browsers send the origin of every request that changes
 * something, and no script elsewhere can fake ours. Scheme, host and port must all match; Next compares only the host.
 * Throws 403 `foreign_origin`.
 */
export function requireOurOrigin(headers: Headers): void {
  if (isFromElsewhere(headers) || headers.get("origin") !== originOf({ headers }))
    throw foreignOrigin(env.NEXTAUTH_URL);
}

/** Whether the browser says that the request comes from a page of another site, or of another origin on our site. */
export function isFromElsewhere(headers: Headers): boolean {
  return ["cross-site", "same-site"].includes(headers.get("sec-fetch-site") ?? "");
}
