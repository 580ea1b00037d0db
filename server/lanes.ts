import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";
import * as openApi from "@/app/(api)/openapi.json/route";
import { forms, routes } from "@/app/(api)/routes";
import { ALIASES, type Route, VERSION_PREFIX, withoutAlias } from "@/lib/api/declaration";
import { refusalResponse } from "@/lib/api/endpoint";
import type { FormRoute } from "@/lib/api/form-endpoint";
import { unknownAddress } from "@/lib/api/handler";
import { isConsoleForProgram, isForProgram, recordRequest, refusalOf } from "@/lib/api/refusal";
import { refuseOutdated } from "@/lib/platform/db/ready";
import { badRequest, unavailable } from "@/lib/platform/errors";
import { endOfTurn, inOrder } from "@/lib/platform/event-loop";
import { errorResponse } from "@/lib/platform/http/response";
import { awaitList, isBlocked, networkBlocked, OPEN_TO_ALL } from "@/lib/platform/network/blocked";
import type { Network } from "@/lib/platform/network/network";
import { limitBodyTime } from "./buffered-body";
import type { Assets } from "./compressed-assets";
import type { Front } from "./front";
import { checkSize } from "./gate";
import { type FindAction, PATH_BYTES } from "./gate-limits";
import { headerOf, receive } from "./incoming";
import { oneAtATime } from "./one-at-a-time";
import { gateKey, pageLane } from "./page-lane";
import { UNKNOWN_PAGE } from "./pages";
import { refuse, respondWaiting } from "./refuse";
import { completeHead } from "./response";
import { Turns } from "./turns";

interface Settings {
  /** Whether the database is ready for requests. */
  isPrepared?: () => boolean;
  /** The pattern of a page's path. */
  routeOf?: (path: string) => string;
  /** The actions of its pages. */
  actions?: FindAction;
  /** Responds with compressed assets instead of Next. */
  assets?: Assets;
}

/**
 * Sends API requests directly to their handlers and all others to Next. Next's own path to the same handlers takes many
 * times as long and loses Content-Encoding and Content-Length. Until the process `isPrepared`, no handler is called but
 * /live, not even for its health: their database connection would block the migration.
 */
export function lanes(
  next: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  front: Front,
  { isPrepared = () => true, routeOf = () => "(page)", actions = () => undefined, assets }: Settings = {},
): RequestListener {
  const api = getRequestListener(
    async (request) => {
      const response = await respondTo(request);
      // Written one by one, each response wakes a client that may sleep again before the next: this took a third of the
      // time of a request.
      await endOfTurn();
      return response;
    },
    { errorHandler },
  );
  const respondTo = (request: Request) => {
    const route = routeAt(request.url);
    if (!route) return unknownAddress.GET(request);
    return isPrepared() || route === routes["/live"] ? route.GET(request) : notYet(route);
  };
  const turns = new Turns();
  const page = pageLane(next, turns, { actions, assets });
  /** A long address takes a millisecond, so it waits for its network's turn. All other requests of the API do not. */
  const longApi = async (request: IncomingMessage, response: ServerResponse, network: Network) => {
    try {
      const client = new AbortController();
      response.once("close", () => client.abort());
      const endTurn = await turns.acquire(gateKey(network), client.signal);
      if (response.destroyed) return endTurn();
      response.once("close", endTurn);
      await api(request, response);
    } catch (error) {
      refuseEarly(request, response, error);
    }
  };

  const handle = (
    request: IncomingMessage,
    response: ServerResponse,
    { path, network }: { path: string; network: Network },
  ) => {
    if (!OPEN_TO_ALL.includes(path) && isBlocked(network)) throw networkBlocked();
    if (!OPEN_TO_ALL.includes(path)) refuseOutdated();
    limitBodyTime(request, response, path);
    if (isOfApi(path))
      return void ((request.url ?? "").length > PATH_BYTES
        ? longApi(request, response, network)
        : api(request, response));
    const route = routeOf(path);
    const isNothing = route === UNKNOWN_PAGE && isForProgram(request.headers.accept);
    if ((isNothing || isConsoleForProgram(path, headerOf(request))) && isDecodable(path))
      return void api(request, response);
    if (!isPrepared()) {
      completeHead(response);
      return respondWaiting(response, route);
    }
    // Next would redirect to the address without the second slash, including its parameters and the token.
    const plain = path.replace(/\/{2,}/g, "/");
    if (plain !== path) request.url = plain + (request.url ?? "").slice(path.length);
    if (!isDecodable(path)) throw badRequest("The address is not percent-encoded UTF-8.");
    void page({ request, response, path: plain, route, network });
  };
  const refuseEarly = (request: IncomingMessage, response: ServerResponse, error: unknown) => {
    // An address that is too long is not read to its end to identify its owner.
    const isForApi = isOfApi(pathIn((request.url ?? "").slice(0, 100)));
    if (!isForApi) completeHead(response);
    refuse(response, refusalOf(error, FAULT), isForApi);
  };

  const paced = inOrder();
  return oneAtATime((request, response) => {
    const attempt = (work: () => void) =>
      paced(() => {
        // Nobody waits for the answer, and Node has forgotten where the connection came in.
        if (request.socket.destroyed) return;
        try {
          work();
        } catch (error) {
          refuseEarly(request, response, error);
        }
      });
    attempt(() => {
      checkSize(request);
      const network = receive(request, front);
      const path = pathIn(request.url ?? "");
      const list = isPrepared() && !OPEN_TO_ALL.includes(path) ? awaitList() : undefined;
      const begin = () => handle(request, response, { path, network });
      if (!list) return begin();
      void list.then(
        () => attempt(begin),
        (error) => refuseEarly(request, response, error),
      );
    });
  });
}

function pathIn(target: string): string {
  const end = target.search(/[?#]/);
  return end < 0 ? target : target.slice(0, end);
}

type AnyRoute = Route | FormRoute;

/** The routes with direct handlers. A test compares them with the files of the API. */
export const direct: Record<string, AnyRoute> = { ...routes, ...forms, "/openapi.json": openApi };

/** By path; those with a parameter, which is the last segment, by the path before it. */
const byPath = new Map(Object.entries(direct).map(([pattern, route]) => [pattern.replace(/\{\w+\}$/, ""), route]));

/** The route at an address, which `getRequestListener` has normalized. The routes themselves handle every method. */
function routeAt(url: string): AnyRoute | undefined {
  const path = withoutAlias(pathIn(url.slice(url.indexOf("/", "https://".length))));
  const parent = path.slice(0, path.lastIndexOf("/") + 1);
  return path === parent ? undefined : (byPath.get(path) ?? byPath.get(parent));
}

function notYet({ GET: { declaration } }: AnyRoute): Response {
  const id = randomUUID();
  recordRequest({ id, route: declaration.path, method: "GET", status: 503, started: performance.now() });
  return refusalResponse(declaration, unavailable(), id);
}

const FAULT = "a request failed before it reached its route";

/** Errors outside a route: the address could not be read, or it is our fault. */
function errorHandler(error: unknown): Response {
  const refusal = error instanceof RequestError ? badRequest("The address cannot be read.") : refusalOf(error, FAULT);
  return errorResponse(refusal, { "X-Request-Id": randomUUID() });
}

const apiSegments = new Set([...Object.keys(direct), VERSION_PREFIX].map((path) => path.split("/")[1]));

/** Everything under the first segment of a route belongs to the API, except the pages /keys and /link themselves. */
function isOfApi(address: string): boolean {
  const path = Object.hasOwn(ALIASES, address) ? withoutAlias(address) : address;
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
