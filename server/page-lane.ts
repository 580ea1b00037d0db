import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { signedOut } from "@/lib/accounts/errors";
import { hasOpenSession } from "@/lib/accounts/session/session-cookie";
import { recordRequest, refusalOf } from "@/lib/api/refusal";
import { unavailable } from "@/lib/platform/errors";
import { isPage } from "@/lib/platform/http/pages";
import { originOf } from "@/lib/platform/network/host";
import { countedAs, type Network, widerNetworks } from "@/lib/platform/network/network";
import type { Guest } from "@/lib/platform/queue";
import { forRequest, type PageRequest } from "@/lib/platform/request";
import { noSpace, roomForBodies } from "./bodies";
import { awaitBody } from "./buffered-body";
import type { Assets } from "./compressed-assets";
import { bodyLength, checkPage } from "./gate";
import type { FindAction, Lane } from "./gate-limits";
import { addHeader } from "./incoming";
import { pageCompression } from "./page-compression";
import { refuseUnread } from "./refuse";
import { rememberedPages } from "./remembered-pages";
import { completeHead, passBody } from "./response";
import type { Turns } from "./turns";

type Next = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A request for Next, and what the gate has learned about it. */
interface PageArrival {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
  /** The pattern, for the log. */
  route: string;
  network: Network;
}

/**
 * Shared by all: a separate error would hold its request through its stack frames for as long as anything holds the
 * signal.
 */
const CLIENT_DISCONNECTED = new DOMException("The client has gone.", "AbortError");

/** Every page names them. Next would have browsers ask again each time, because their names contain no hash. */
const ICONS = new Set(["/icon.svg", "/favicon.ico"]);
const ICON_CACHE = "public, max-age=86400";

/**
 * Passes requests to Next: those that their lane accepts (./gate-limits), with a complete body, when it is their
 * network's turn. Every response gets the policy of pages. `assets` come first, without a turn: they take no work.
 */
export function pageLane(
  next: Next,
  turns: Turns,
  { actions, assets }: { actions: FindAction; assets?: Assets },
): (arrival: PageArrival) => Promise<void> {
  const bodies = roomForBodies();
  const compression = pageCompression();
  const remembered = rememberedPages();

  return async ({ request, response, path, route, network }) => {
    const id = randomUUID();
    const started = performance.now();
    const client = new AbortController();
    const seen: PageRequest = { signal: client.signal, cut: () => response.destroy() };
    let endTurn = () => {};
    let body: Guest | undefined;
    addHeader(request, "x-request-id", id);
    response.setHeader("X-Request-Id", id);
    completeHead(response, () => {
      endTurn();
      if (seen.isUnavailable && response.statusCode === 500) refuseForNow(response);
      if (seen.length !== undefined) response.setHeader("Content-Length", seen.length);
      if (ICONS.has(path) && response.statusCode < 400) response.setHeader("Cache-Control", ICON_CACHE);
    });
    response.once("close", () => {
      if (body) bodies.leave(body);
      endTurn();
      client.abort(CLIENT_DISCONNECTED);
      recordRequest({ id, route, method: request.method, status: response.statusCode, started, userId: seen.userId });
    });
    try {
      const lane = checkPage(request, path, actions);
      if (assets && (await assets(request, response, path))) return;
      if (remembered.respond(request, response, id)) return;
      const announced = bodyLength(request.headers);
      if (announced !== undefined) {
        await checkSender(request, response, { lane, announced });
        if (response.destroyed) return;
        body = {
          // A network that everybody may share has no bound: the request's own id stands where the bound is.
          names: network.kind === "remote" ? [gateKey(network)] : [id, gateKey(network)],
          bytes: reserved(lane, announced),
          cut: () => refuseUnread(response, noSpace()),
        };
        bodies.enter(body);
        if (lane.isBuffered) await awaitBody(request, lane);
      }
      const begins = lane.arguments === undefined ? undefined : new Promise<void>((resolve) => (seen.begun = resolve));
      endTurn = await turns.acquire(gateKey(network), client.signal, begins);
      if (response.destroyed) return endTurn();
      // Somebody else's turn may have created it meanwhile.
      if (remembered.respond(request, response, id)) return;
      const copy = remembered.copy(request, response, id);
      const isCompressed = isPage(path) || path === "/client.mjs";
      if (copy || isCompressed) passBody(response, copy, isCompressed ? compression : undefined);
      await forRequest(seen, () => next(request, response));
    } catch (error) {
      endTurn();
      const refusal = refusalOf(error, "a request failed before it reached its page");
      if (response.headersSent) response.destroy();
      else refuseUnread(response, refusal);
    }
  };
}

/** What tells under which address people open this service (./incoming). */
const ADDRESSED = ["x-forwarded-host", "x-forwarded-proto"] as const;

/**
 * Throws 401 `signed_out` for a body that is longer than a stranger's may be, unless its sender is signed in: before
 * anything of it is read.
 */
async function checkSender(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { lane, announced }: { lane: Lane; announced: number },
): Promise<void> {
  const isShort = announced === 0 ? lane.bodyBytes <= lane.strangersBytes : announced <= lane.strangersBytes;
  if (isShort) return;
  const addressed = new Headers(ADDRESSED.map((name): [string, string] => [name, String(headers[name])]));
  const isSignedIn = await hasOpenSession(headers.cookie, originOf({ headers: addressed })).catch((error) => {
    throw refusalOf(error, "a session could not be looked up");
  });
  if (isSignedIn) return;
  response.setHeader("Connection", "close");
  throw signedOut();
}

/** What Next responds with if a page fails. */
function refuseForNow(response: ServerResponse): void {
  const { status, headers } = unavailable();
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

/** One customer of a provider often has a complete /48. */
export function gateKey(network: Network): string {
  const id = countedAs(network.id);
  return widerNetworks(id).at(-1) ?? id;
}

/** Memory for a body while it arrives. A document is stored as fast as that, and takes none. */
function reserved({ bodyBytes }: Lane, announced: number): number {
  if (bodyBytes === Number.POSITIVE_INFINITY) return 0;
  return announced === 0 ? bodyBytes : announced;
}
