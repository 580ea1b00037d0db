import { randomUUID } from "node:crypto";
import { notFound as nothingHere } from "@/lib/errors";
import { errorAnswer } from "./answer";
import type { Handler, Route } from "./endpoint";
import { recordRequest } from "./request-log";

const answer: Handler = async (request) => {
  const id = randomUUID();
  const started = performance.now();
  const response = errorAnswer(nothingHere(), { "X-Request-Id": id });
  recordRequest({ id, route: "(unknown)", method: request.method, status: response.status, started });
  return request.method === "HEAD" ? new Response(null, response) : response;
};

/** The handlers of every address under the API's prefixes that is no route: JSON 404 `not_found` (contract, section 1: unknown paths). */
export const notFound: Record<keyof Route, Handler> = {
  GET: answer,
  HEAD: answer,
  OPTIONS: answer,
  POST: answer,
  PUT: answer,
  PATCH: answer,
  DELETE: answer,
};
