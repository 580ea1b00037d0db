import { randomUUID } from "node:crypto";
import { notFound } from "@/lib/platform/errors";
import { errorResponse, optionsResponse } from "@/lib/platform/http/response";
import { isBehindServer } from "@/lib/platform/network/network";
import type { Handler, Route } from "./declaration";
import { recordRequest } from "./refusal";
import { refusedUnderNext } from "./under-next";

/** Responds to the request with this id, and calls `isFor` once the caller is known. */
type Respond = (request: Request, id: string, isFor: (userId: string) => void) => Promise<Response> | Response;

/** The handlers of a route, the same for all methods: `respond` tells these apart. Each request leaves one log line. */
export function handlersOf(route: string, respond: Respond): Record<keyof Route, Handler> {
  const handler: Handler = async (request) => {
    const id = randomUUID();
    const started = performance.now();
    let userId: string | undefined;
    // Asked here, too: to wait for what is not there takes a hundredth of a short request.
    const refused = isBehindServer()
      ? undefined
      : await refusedUnderNext(request, { route, common: { "X-Request-Id": id } });
    const response =
      refused ??
      (await respond(request, id, (callerId) => {
        userId = callerId;
      }));
    recordRequest({ id, route, method: request.method, status: response.status, started, userId });
    return response;
  };
  return {
    GET: handler,
    HEAD: handler,
    OPTIONS: handler,
    POST: handler,
    PUT: handler,
    PATCH: handler,
    DELETE: handler,
  };
}

/** The same response to HEAD, which gets no body. */
export const forMethod = ({ method }: Request, response: Response): Response =>
  method === "HEAD" ? new Response(null, response) : response;

/**
 * The handlers of every unknown address under the API's prefixes and, for programs, of every other unknown address:
 * JSON 404 `not_found`, and 204 to a preflight (contract, section 1: unknown paths, CORS).
 */
export const unknownAddress = handlersOf("(unknown)", (request, id) => {
  const common = { "X-Request-Id": id };
  // A browser shows the 404 to a page of another origin only if this header allows it.
  if (request.method === "OPTIONS") return optionsResponse("GET, OPTIONS", common);
  return forMethod(request, errorResponse(notFound(), common));
});
