import { createHash } from "node:crypto";
import { refusalOf } from "@/lib/api/refusal";
import { foreignOrigin, notFound, preconditionFailed } from "@/lib/platform/errors";
import { clientHas, wouldAppend } from "@/lib/platform/http/headers";
import { errorResponse } from "@/lib/platform/http/response";
import { isFromElsewhere } from "./visitor";

/** Of what a page downloads with the session's cookie. */
export const PRIVATE = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

/** A handler for what a page downloads with the session's cookie: a refusal is a sentence. `what`: for the log. */
export function download(what: string, respond: (request: Request) => Promise<Response>) {
  return async (request: Request): Promise<Response> => {
    try {
      return await respond(request);
    } catch (thrown) {
      const { status, message, code, headers } = refusalOf(thrown, `${what} failed`);
      // As programs get it for every address where there is nothing.
      if (code === "not_found") return errorResponse(notFound(), {});
      const type = { "Content-Type": "text/plain; charset=utf-8" };
      return new Response(`${message}\n`, { status, headers: { ...headers, ...PRIVATE, ...type } });
    }
  };
}

/**
 * Throws 403 `foreign_origin` for a page or frame of another site, which could put load on the service, and 412
 * `precondition_failed` for a program that would append this to an older part.
 */
export function requireOwnPage({ headers }: Request): void {
  if (isFromElsewhere(headers)) throw foreignOrigin();
  if (wouldAppend(headers)) throw preconditionFailed();
}

/** The response to a download that needs a recent proof, by its address alone: `how` says what to press instead. */
export function confirmFirst(how: string): Response {
  return new Response(`Confirm it's you first: ${how}.\n`, {
    status: 403,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  });
}

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
