import { randomUUID } from "node:crypto";
import { notFound as nothingHere } from "@/lib/platform/errors";
import { errorResponse, optionsResponse } from "@/lib/platform/http/response";
import type { Handler, Route } from "./declaration";
import { recordRequest } from "./refusal";
import { refusedUnderNext } from "./under-next";

const UNKNOWN = "(unknown)";

const respond: Handler = async (request) => {
  const id = randomUUID();
  const started = performance.now();
  const common = { "X-Request-Id": id };
  const refused = await refusedUnderNext(request, { route: UNKNOWN, common });
  // A browser shows the 404 to a page of another origin only if this header allows it.
  const response =
    refused ??
    (request.method === "OPTIONS" ? optionsResponse("GET, OPTIONS", common) : errorResponse(nothingHere(), common));
  recordRequest({ id, route: UNKNOWN, method: request.method, status: response.status, started });
  return request.method === "HEAD" ? new Response(null, response) : response;
};

/**
 * The handlers of every unknown address under the API's prefixes and, for programs, of every other unknown address:
 * JSON 404 `not_found`, and 204 to a preflight (contract, section 1: unknown paths, CORS).
 */
export const unknownAddress: Record<keyof Route, Handler> = {
  GET: respond,
  HEAD: respond,
  OPTIONS: respond,
  POST: respond,
  PUT: respond,
  PATCH: respond,
  DELETE: respond,
};
