import { ApiError } from "@/lib/errors";
import { originOf } from "@/lib/origin";

/**
 * Refuses what a script of another origin asks for: browsers name the origin of every request that changes something, and no script
 * elsewhere can take ours. Scheme, host and port must all be ours; Next compares the host alone. Throws 403 `foreign_origin`.
 */
export function requireOurOrigin(headers: Headers): void {
  if (isFromElsewhere(headers) || headers.get("origin") !== originOf({ headers }))
    throw new ApiError(403, "foreign_origin", "This can only be asked for by our own pages. Open this service at its own address, and try again.");
}

/** Whether a browser says that a page of another site asks, or of another origin on our site. */
export function isFromElsewhere(headers: Headers): boolean {
  return ["cross-site", "same-site"].includes(headers.get("sec-fetch-site") ?? "");
}
