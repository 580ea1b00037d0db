import { randomUUID } from "node:crypto";
import { ApiError } from "@/lib/errors";
import { log } from "@/lib/log";
import { errorAnswer } from "./answer";
import type { Handler, Route } from "./endpoint";

const answer: Handler = async (request) => {
  const id = randomUUID();
  const response = errorAnswer(new ApiError(404, "not_found", "There is nothing at this address."), { "X-Request-Id": id });
  log.info({ id, route: "(unknown)", method: request.method, status: response.status });
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
