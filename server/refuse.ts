import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { recordRequest, refusalAnswer } from "@/lib/api/refusal";
import { ADDRESS_BYTES } from "@/lib/platform/bounds";
import { type ApiError, badRequest, bodyTooLarge, headersTooLarge, requestTimeout } from "@/lib/platform/errors";
import { plainPage } from "@/lib/platform/http/plain-page";
import { type Answer, errorAnswer } from "@/lib/platform/http/response";
import { bodyLength } from "./gate";
import { headerOf } from "./incoming";
import { endAfterResponses } from "./one-at-a-time";

/** Refuses a request that reaches no handler: as `refuseUnread`, with a log line of its own. */
export function refuse(response: ServerResponse, error: ApiError, isForApi = true): void {
  if (!response.headersSent) response.setHeader("X-Request-Id", recordRefusal(error));
  refuseUnread(response, error, isForApi);
}

/** How long a refused client may continue sending: it reads the reason only after it has sent everything. */
const SENDING_MS = 2_000;

/**
 * Refuses a request whose body nobody reads: its connection ends. The response already has its `X-Request-Id`, and its
 * log line. `isForApi`: the response is the contract's error body, also for a person.
 */
export function refuseUnread(response: ServerResponse, error: ApiError, isForApi = false): void {
  const { req: request } = response;
  if (response.headersSent || response.destroyed) return void request.destroy();
  if (!request.complete && bodyLength(request.headers) !== undefined) {
    response.setHeader("Connection", "close");
    request.resume();
    setTimeout(() => request.complete || request.destroy(), SENDING_MS).unref();
  }
  write(response, isForApi ? errorAnswer(error) : refusalAnswer(error, request.method, headerOf(request)));
}

/** Responds to page requests while there is no database yet: Next cannot send its own pages with 503. */
export function respondWaiting(response: ServerResponse, route: string): void {
  const id = randomUUID();
  recordRequest({ id, route, method: response.req.method, status: 503, started: performance.now() });
  const headers = { "X-Request-Id": id, "Retry-After": "5" };
  const message = "Latchkey is starting or waiting for its database. Nothing is lost; this page reloads automatically.";
  write(response, plainPage({ status: 503, headers, message }, "Back in a moment", 5));
}

function write(response: ServerResponse, { status, headers, body }: Answer): void {
  response
    .writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(body) })
    .end(response.req.method === "HEAD" ? undefined : body);
}

/** Errors of the HTTP parser, by Node's error code. */
const UNREADABLE: Record<string, ApiError> = {
  HPE_HEADER_OVERFLOW: headersTooLarge(
    `The address and the headers are longer than ${ADDRESS_BYTES.toLocaleString("en")} bytes.`,
  ),
  HPE_INVALID_URL: badRequest(
    "The address contains bytes that must be percent-encoded: letters beyond ASCII, spaces or control characters.",
  ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: bodyTooLarge("The request's chunk extensions are too long."),
  ERR_HTTP_REQUEST_TIMEOUT: requestTimeout(),
};
const MALFORMED = badRequest("The request is not valid HTTP.");

/**
 * How long a refused client may take to read the reason: it may still be sending, and a reset would drop the response.
 */
const LINGER_MS = 1_000;

/** Listener of `clientError`: responds with JSON to what Node could not parse, if the connection still allows it. */
export function refuseUnreadable(
  error: NodeJS.ErrnoException,
  socket: Duplex & { _httpMessage?: ServerResponse },
): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  if (endAfterResponses(socket)) return;
  // A started response must not be followed by bytes of another.
  if (socket._httpMessage?.headersSent) return void socket.destroy();
  const refusal = UNREADABLE[error.code ?? ""] ?? MALFORMED;
  const { status, headers, body } = errorAnswer(refusal, {
    "X-Request-Id": recordRefusal(refusal),
    Connection: "close",
  });
  const head = { ...headers, "Content-Length": Buffer.byteLength(body) };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} \r\n${lines.join("")}\r\n${body}`);
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Writes the log line, and returns its id. */
function recordRefusal(error: ApiError): string {
  const id = randomUUID();
  recordRequest({ id, route: "(refused)", method: undefined, status: error.status, started: performance.now() });
  return id;
}
