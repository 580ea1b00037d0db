import { refusalOf } from "@/lib/api/refusal";
import { foreignOrigin, notFound, preconditionFailed } from "@/lib/platform/errors";
import { wouldAppend } from "@/lib/platform/http/headers";
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
