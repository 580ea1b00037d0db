import { randomUUID } from "node:crypto";
import { notFound as nothingHere } from "@/lib/errors";
import { errorAnswer, optionsAnswer } from "./answer";
import type { Handler, Route } from "./endpoint";
import { recordRequest } from "./request-log";

const answer: Handler = async (request) => {
  const id = randomUUID();
  const started = performance.now();
  const common = { "X-Request-Id": id };
  // A browser shows the 404 to a program of another origin only where this was allowed.
  const response = request.method === "OPTIONS" ? optionsAnswer("GET, OPTIONS", common) : errorAnswer(nothingHere(), common);
  recordRequest({ id, route: "(unknown)", method: request.method, status: response.status, started });
  return request.method === "HEAD" ? new Response(null, response) : response;
};

/** Whether an address that nobody serves was asked for by a program, which is told as JSON: a person's browser names the page that it wants. */
export function isForProgram(accept: string | undefined): boolean {
  return !/\btext\/html\b/i.test(accept ?? "");
}

/**
 * The handlers of every address under the API's prefixes that is no route, and for programs of every other address that nobody serves:
 * JSON 404 `not_found`, and 204 to a preflight (contract, section 1: unknown paths, CORS).
 */
export const notFound: Record<keyof Route, Handler> = {
  GET: answer,
  HEAD: answer,
  OPTIONS: answer,
  POST: answer,
  PUT: answer,
  PATCH: answer,
  DELETE: answer,
};
