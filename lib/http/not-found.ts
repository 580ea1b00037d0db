import { randomUUID } from "node:crypto";
import { notFound as nothingHere } from "@/lib/errors";
import { errorAnswer, optionsAnswer } from "./answer";
import type { Handler, Route } from "./declaration";
import { asPage, isOpenedByHand } from "./opened-by-hand";
import { isConsole } from "./pages";
import { recordRequest } from "./request-log";

const answer: Handler = async (request) => {
  const id = randomUUID();
  const started = performance.now();
  const common = { "X-Request-Id": id };
  // A browser shows the 404 to a page of another origin only if this header allows it.
  const response =
    request.method === "OPTIONS" ? optionsAnswer("GET, OPTIONS", common) : errorAnswer(nothingHere(), common);
  recordRequest({ id, route: "(unknown)", method: request.method, status: response.status, started });
  if (isOpenedByHand(request)) return asPage(response);
  return request.method === "HEAD" ? new Response(null, response) : response;
};

/** Whether a program asked for an unknown address, and so gets JSON: a person's browser accepts HTML. */
export function isForProgram(accept: string | undefined): boolean {
  return !/\btext\/html\b/i.test(accept ?? "");
}

/** The headers by which scripts of our pages ask for a page's contents and call its actions. */
const FROM_OUR_SCRIPTS = ["rsc", "next-action"];

/** Whether a program asked for a page of the console. Like any unknown address, that does not exist for it. */
export function isConsoleForProgram(path: string, header: (name: string) => string | null | undefined): boolean {
  return (
    isConsole(path) &&
    isForProgram(header("accept") ?? undefined) &&
    !FROM_OUR_SCRIPTS.some((name) => typeof header(name) === "string")
  );
}

/**
 * The handlers of every unknown address under the API's prefixes and, for programs, of every other unknown address:
 * JSON 404 `not_found`, and 204 to a preflight (contract, section 1: unknown paths, CORS).
 */
export const unknownAddress: Record<keyof Route, Handler> = {
  GET: answer,
  HEAD: answer,
  OPTIONS: answer,
  POST: answer,
  PUT: answer,
  PATCH: answer,
  DELETE: answer,
};
