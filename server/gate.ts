import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import { ADDRESS_BYTES } from "@/lib/platform/bounds";
import {
  ApiError,
  actionNotFound,
  badRequest,
  formWithoutScript,
  headersTooLarge,
  methodNotAllowed,
} from "@/lib/platform/errors";
import { addressTooLong, bodyOver, checkPageRequest } from "@/lib/platform/http/limits";
import { isPage } from "@/lib/platform/http/pages";
import { originRefused } from "@/lib/platform/network/host";
import { notOurs } from "./bodies";
import { type Action, type FindAction, HEADER_BYTES, HEADER_COUNT, type Lane, laneOf, PATH_BYTES } from "./gate-limits";
import { headerOf } from "./incoming";

/**
 * Refuses requests that are too large for every lane, before anything reads them: 414 `address_too_long`, 431
 * `headers_too_large`. Takes some hundred nanoseconds and no memory.
 */
export function checkSize({ url = "", rawHeaders }: IncomingMessage): void {
  if (url.length > PATH_BYTES) {
    if (url.length > ADDRESS_BYTES) throw addressTooLong(ADDRESS_BYTES);
    const query = url.indexOf("?");
    if (query < 0 || query > PATH_BYTES) throw addressTooLong(PATH_BYTES);
  }
  if (rawHeaders.length > 2 * HEADER_COUNT) throw headersTooLarge();
  let bytes = 0;
  for (let index = 0; index < rawHeaders.length; index++) bytes += rawHeaders[index]?.length ?? 0;
  if (bytes > HEADER_BYTES) throw headersTooLarge();
}

/**
 * Refuses a request to Next that its lane does not take, by its head alone, and returns the lane. 400, 403, 404, 405,
 * 413, 414, 415, 431, each with a sentence that says what to do.
 */
export function checkPage(request: IncomingMessage, path: string, actions: FindAction): Lane {
  const { method = "", headers } = request;
  const routerState = headerOf(request)("next-router-state-tree");
  checkPageRequest({ address: request.url ?? "", cookie: headers.cookie, routerState });
  checkRouterState(routerState);
  const lane = laneOf(method, path, actionOf(request, path, actions));
  if (!lane.methods.includes(method))
    throw method === "POST" && isPage(path) ? formWithoutScript() : methodNotAllowed(lane.methods.join(", "));
  const length = bodyLength(headers);
  if (length === undefined) {
    if (lane.arguments !== undefined) throw notOurs();
    return lane;
  }
  if (length > lane.bodyBytes || lane.bodyBytes === 0) throw bodyOver(lane.bodyBytes);
  if (lane.types && !lane.types.test(headers["content-type"] ?? ""))
    throw new ApiError(415, "unsupported_media_type", "This address does not accept a body of this media type.");
  return lane;
}

/**
 * The action that the request calls, if any. Throws 404 `not_found` for one that this page does not have, and 403
 * `foreign_origin` for a call from another host's page: Next would respond with a 500 and a log line. A call of another
 * page's action Next would send to this service itself, once more, and wait for it with the turn that it has.
 */
function actionOf(request: IncomingMessage, path: string, actions: FindAction): Action | undefined {
  const header = headerOf(request);
  const id = header("next-action");
  if (id === undefined || request.method !== "POST") return undefined;
  const action = actions(id);
  if (!action?.pages.has(path === "/" ? path : path.replace(/\/$/, ""))) throw actionNotFound();
  const [origin, host] = [header("origin"), header("x-forwarded-host")];
  if (origin === undefined || hostIn(origin) === host) return action;
  const address = `${header("x-forwarded-proto")}://${host}`;
  throw originRefused({ origin, site: header("sec-fetch-site"), action: id, address });
}

function hostIn(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/** The announced length of a body, 0 for one sent in chunks, undefined if there is none. */
export function bodyLength(headers: IncomingHttpHeaders): number | undefined {
  if (headers["transfer-encoding"] !== undefined) return 0;
  const length = headers["content-length"];
  return length === undefined || length === "0" ? undefined : Number(length);
}

/**
 * Throws 400 `bad_request` if Next could not parse its router's state (the header Next-Router-State-Tree). Follows
 * Next's own rule, which Next applies only while rendering: there it would be our fault, with a 500 and a log line.
 */
function checkRouterState(state: string | undefined): void {
  try {
    parseAndValidateFlightRouterState(state);
  } catch {
    throw badRequest("The header Next-Router-State-Tree is not valid. Load the page again.");
  }
}
