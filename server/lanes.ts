import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";
import { Hono } from "hono";
import * as openApi from "@/app/(api)/openapi.json/route";
import { routes } from "@/app/(api)/routes";
import { ApiError, unavailable } from "@/lib/errors";
import { errorAnswer } from "@/lib/http/answer";
import { type Route, refusalAnswer } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/not-found";
import { recordRequest } from "@/lib/http/request-log";
import { log } from "@/lib/log";
import { forRequest } from "@/lib/request-user";
import { limitBodyTime } from "./body-time";
import { endOfTurn } from "./end-of-turn";
import { addHeader, type Front, receive } from "./incoming";
import { refuse } from "./refuse";
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
  const warnOfSharing = once(() => log.warn(sharingWarning(front.hops)));

  return (request, response) => {
    let route: string;
    try {
      if (receive(request, front).kind === "shared") warnOfSharing();
      const path = (request.url ?? "").replace(/[?#].*$/s, "");
      limitBodyTime(request, response, path);
      if (isOfApi(path)) return void api(request, response);
      route = routeOf(path);
      if (!isPrepared()) return answerWaiting(response, route);
      // Next would answer the address without the second slash, with its parameters and the token among them.
      if (/\/{2,}/.test(path)) request.url = (request.url ?? "").replace(path, path.replace(/\/{2,}/g, "/"));
      if (!isDecodable(path)) throw new ApiError(400, "bad_request", "The address is not percent-encoded UTF-8.");
    } catch (error) {
      return void refuse(response, error instanceof ApiError ? error : internal(error));
    }
    void page(next, route, request, response);
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

async function page(
  next: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  route: string,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const id = randomUUID();
  const started = performance.now();
  const seen: { userId?: string } = {};
  addHeader(request, "x-request-id", id);
  response.setHeader("X-Request-Id", id);
  response.once("close", () => {
    recordRequest({ id, route, method: request.method, status: response.statusCode, started, ...seen });
  });
  try {
    await forRequest(seen, () => next(request, response));
  } catch (error) {
    const told = internal(error);
    if (response.headersSent) response.destroy();
    else await refuse(response, told);
  }
}

function sharingWarning(hops: number): string {
  return hops === 0
    ? "Requests come through a proxy, but TRUSTED_PROXY_HOPS is 0: everybody behind it counts as one client, and limits will hit the innocent. Set it to the number of your proxies."
    : "Requests come through a proxy that sends no address in X-Forwarded-For: everybody behind it counts as one client. Let it send one.";
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (!done) work();
    done = true;
  };
}
