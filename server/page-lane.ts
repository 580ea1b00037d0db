import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { ApiError, unavailable } from "@/lib/errors";
import { recordRequest } from "@/lib/http/request-log";
import { log } from "@/lib/log";
import { type Network, widerNetworks } from "@/lib/network";
import { forRequest, type PageRequest } from "@/lib/request-user";
import { completeHead } from "./answer-head";
import { Bodies } from "./bodies";
import { bodyLength, checkPage } from "./gate";
import type { Lane } from "./gate-limits";
import { addHeader } from "./incoming";
import { answerPlainly } from "./refuse";
import { Turns } from "./turns";
import { awaitBody } from "./whole-body";

type Next = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A request for Next, and what is known of it. */
interface Asked {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
  /** The pattern, for the log. */
  route: string;
  network: Network;
}

/** One for all: an error of its own would hold its request, by the frames of its stack, for as long as anything holds the signal. */
const CLIENT_GONE = new DOMException("The client has gone.", "AbortError");

/**
 * Hands requests to Next: those that their lane takes (./gate-limits), with a body that is there, when it is their network's turn.
 * Every answer leaves with the policy of pages.
 */
export function pageLane(next: Next): (asked: Asked) => Promise<void> {
  const bodies = new Bodies();
  const turns = new Turns();

  return async ({ request, response, path, route, network }) => {
    const id = randomUUID();
    const started = performance.now();
    const gone = new AbortController();
    const seen: PageRequest = { gone: gone.signal };
    let endTurn = () => {};
    let leaveQueue = () => {};
    let leaveBodies = () => {};
    addHeader(request, "x-request-id", id);
    response.setHeader("X-Request-Id", id);
    completeHead(response, request.headers["x-forwarded-proto"] === "https", () => endTurn());
    response.once("close", () => {
      leaveBodies();
      leaveQueue();
      endTurn();
      gone.abort(CLIENT_GONE);
      recordRequest({ id, route, method: request.method, status: response.statusCode, started, userId: seen.userId });
    });
    try {
      const lane = checkPage(request, path);
      const announced = bodyLength(request.headers);
      if (announced !== undefined) {
        const cut = () => void refusePage(request, response, unavailable("Too much is being sent to this service at once. Try again in a moment."));
        leaveBodies = bodies.enter(gateKey(network), network.kind === "remote", held(lane, announced), cut);
        if (lane.isWhole) await awaitBody(request, lane.bodyBytes);
      }
      endTurn = await turns.take(gateKey(network), (leave) => {
        leaveQueue = leave;
      });
      if (response.destroyed) return endTurn();
      await forRequest(seen, () => next(request, response));
    } catch (error) {
      endTurn();
      const told = error instanceof ApiError ? error : internal(error);
      if (response.headersSent) response.destroy();
      else await refusePage(request, response, told);
    }
  };
}

/** One customer of a provider often has a /48 whole. */
function gateKey({ id }: Network): string {
  return widerNetworks(id).at(-1) ?? id;
}

const held = ({ heldBytes }: Lane, announced: number) => (announced === 0 ? heldBytes : Math.min(announced, heldBytes));

/** How long a refused client may go on sending: it reads why only when it has been listened to. */
const LINGER_MS = 2_000;

async function refusePage(request: IncomingMessage, response: ServerResponse, error: ApiError): Promise<void> {
  if (response.headersSent || response.destroyed) return void request.destroy();
  if (!request.complete) {
    response.setHeader("Connection", "close");
    request.resume();
    setTimeout(() => request.complete || request.destroy(), LINGER_MS).unref();
  }
  await answerPlainly(response, error);
}

function internal(error: unknown): ApiError {
  log.error({ err: error }, "a request failed before it reached its page");
  return new ApiError(500, "internal", "Something went wrong on our side. Try again in a moment.");
}
