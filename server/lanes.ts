import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";
import { Hono } from "hono";
import * as openApi from "@/app/(api)/openapi.json/route";
import { routes } from "@/app/(api)/routes";
import { ApiError, unavailable } from "@/lib/errors";
import { errorAnswer } from "@/lib/http/answer";
import { type Route, refusalAnswer } from "@/lib/http/endpoint";
import { isForProgram, notFound } from "@/lib/http/not-found";
import { recordRequest } from "@/lib/http/request-log";
import { log } from "@/lib/log";
import { completeHead } from "./answer-head";
import { limitBodyTime } from "./body-time";
import { endOfTurn } from "./end-of-turn";
import type { Front } from "./front";
import { checkSize } from "./gate";
import { receive } from "./incoming";
import { pageLane } from "./page-lane";
import { UNKNOWN_PAGE } from "./page-routes";
import { answerPlainly, refuse } from "./refuse";
import { answerWaiting } from "./waiting";

interface Settings {
  /** Whether the database is ready for requests. */
  isPrepared?: () => boolean;
  /** The pattern of a page's path. */
  routeOf?: (path: string) => string;
}

/**
 * Sends requests of the API straight to their handlers and all others to Next, whose own way to the same handlers takes many
 * times as long and loses Content-Encoding and Content-Length. Until the process `isPrepared`, its handlers are asked nothing, not
 * even for its health: their connection to the database would be in the way of migrating it.
 */
export function lanes(
  next: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  front: Front,
  { isPrepared = () => true, routeOf = () => "(page)" }: Settings = {},
): RequestListener {
  const handlers = router(isPrepared);
  const api = getRequestListener(
    async (request) => {
      const answer = await handlers.fetch(request);
      // Written one by one, each wakes a client that may be asleep again before the next: a third of what a request took.
      await endOfTurn();
      return answer;
    },
    { errorHandler },
  );
  const page = pageLane(next);

  return (request, response) => {
    try {
      checkSize(request);
      const network = receive(request, front);
      const path = (request.url ?? "").replace(/[?#].*$/s, "");
      limitBodyTime(request, response, path);
      if (isOfApi(path)) return void api(request, response);
      const route = routeOf(path);
      if (route === UNKNOWN_PAGE && isDecodable(path) && isForProgram(request.headers.accept)) return void api(request, response);
      if (!isPrepared()) {
        completeHead(response, isSecure(request));
        return answerWaiting(response, route);
      }
      // Next would answer the address without the second slash, with its parameters and the token among them.
      const plain = path.replace(/\/{2,}/g, "/");
      if (plain !== path) request.url = plain + (request.url ?? "").slice(path.length);
      if (!isDecodable(path)) throw new ApiError(400, "bad_request", "The address is not percent-encoded UTF-8.");
      void page({ request, response, path: plain, route, network });
    } catch (error) {
      const told = error instanceof ApiError ? error : internal(error);
      // What is too long is not read to its end to learn whose it would have been.
      if (isOfApi((request.url ?? "").slice(0, 100))) return void refuse(response, told);
      completeHead(response, isSecure(request));
      void refuse(response, told, answerPlainly);
    }
  };
}

/** What goes straight to its handlers. A test compares it with the files of the API. */
export const direct = { ...routes, "/openapi.json": openApi };

/** The routes themselves answer every method, so each is registered for all. */
function router(isPrepared: () => boolean): Hono {
  const app = new Hono();
  for (const [pattern, route] of Object.entries(direct)) {
    app.all(pattern.replace(/\{(\w+)\}/g, ":$1"), ({ req }) => (isPrepared() ? route.GET(req.raw) : notYet(route)));
  }
  app.notFound(({ req }) => notFound.GET(req.raw));
  app.onError(errorHandler);
  return app;
}

function notYet({ GET: { declaration } }: Route): Response {
  const id = randomUUID();
  recordRequest({ id, route: declaration.path, method: "GET", status: 503, started: performance.now() });
  return refusalAnswer(declaration, unavailable(), id);
}

/** What went wrong outside of a route: the address could not be read, or it is our fault. */
function errorHandler(error: unknown): Response {
  const told = error instanceof RequestError ? new ApiError(400, "bad_request", "The address cannot be read.") : internal(error);
  return errorAnswer(told, { "X-Request-Id": randomUUID() });
}

function internal(error: unknown): ApiError {
  log.error({ err: error }, "a request failed before it reached its route");
  return new ApiError(500, "internal", "Something went wrong on our side.");
}

const apiSegments = new Set(Object.keys(direct).map((pattern) => pattern.split("/")[1]));

/** Everything under the first segment of a route is the API's, but for the pages /keys and /link themselves. */
function isOfApi(path: string): boolean {
  const [, segment = "", more] = /^\/+([^/]*)(\/.+)?/s.exec(path) ?? [];
  return apiSegments.has(segment) && (more !== undefined || Object.hasOwn(direct, `/${segment}`));
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Whether people open this service over HTTPS, as `receive` found out. */
function isSecure({ headers }: IncomingMessage): boolean {
  return headers["x-forwarded-proto"] === "https";
}
