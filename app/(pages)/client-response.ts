import { createHash } from "node:crypto";
import { preconditionFailed } from "@/lib/platform/errors";
import { clientHas, wouldAppend } from "@/lib/platform/http/headers";
import { errorResponse } from "@/lib/platform/http/response";

const HOUR = 3600;

/**
 * Answers with a file of the client, for pages of any origin. `type`: its media type. `more`: its own headers. Browsers
 * ask again after an hour, so a page gets the client that fits the service.
 */
export function clientResponse(
  text: string,
  type: string,
  more: Record<string, string> = {},
): (request: Request) => Response {
  const tag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
  const headers = {
    "Content-Type": `${type}; charset=utf-8`,
    "Cache-Control": `public, max-age=${HOUR}`,
    // Weak: server.ts compresses it.
    ETag: `W/${tag}`,
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "X-Content-Type-Options": "nosniff",
    ...more,
  };
  return (request: Request): Response => {
    if (wouldAppend(request.headers)) return errorResponse(preconditionFailed(), {});
    const isCached = clientHas(request.headers.get("if-none-match"), tag);
    return new Response(isCached ? null : text, { status: isCached ? 304 : 200, headers });
  };
}
