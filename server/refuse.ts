import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { isCall, isForProgram, recordRequest, refusalTitle } from "@/lib/api/refusal";
import { ADDRESS_BYTES } from "@/lib/platform/bounds";
import { type ApiError, badRequest, bodyTooLarge, headersTooLarge, requestTimeout } from "@/lib/platform/errors";
import { errorResponse, refusedCall } from "@/lib/platform/http/response";
import { bodyLength } from "./gate";
import { endAfterResponses } from "./one-at-a-time";
import { respondWithPage } from "./plain-page";

/** Responds to a request that reaches no handler, with the contract's error body or through `respond`. */
export async function refuse(response: ServerResponse, error: ApiError, respond = respondInJson): Promise<void> {
  response.setHeader("X-Request-Id", recordRefusal(error));
  await respond(response, error);
}

/**
 * Sends a person an HTML page, and everybody else the error body, a page's script too, as plain text. The response
 * already has its `X-Request-Id`, and its log line.
 */
export async function respondPlainly(response: ServerResponse, error: ApiError): Promise<void> {
  const { method, headers } = response.req;
  if (isCall(method, headers["next-action"])) return write(response, refusedCall(error));
  if (isForProgram(headers.accept)) return respondInJson(response, error);
  respondWithPage(response, {
    status: error.status,
    title: refusalTitle(error),
    text: error.message,
    headers: error.headers,
  });
}

/** How long a refused client may continue sending: it reads the reason only after it has sent everything. */
const SENDING_MS = 2_000;

/** The same for a request whose body nobody reads. Its connection ends. */
export async function refuseUnread(response: ServerResponse, error: ApiError, respond = respondPlainly): Promise<void> {
  const { req: request } = response;
  if (response.headersSent || response.destroyed) return void request.destroy();
  if (!request.complete && bodyLength(request.headers) !== undefined) {
    response.setHeader("Connection", "close");
    request.resume();
    setTimeout(() => request.complete || request.destroy(), SENDING_MS).unref();
  }
  await respond(response, error);
}

/** Sends the contract's error body. */
export const respondInJson = (response: ServerResponse, error: ApiError) => write(response, errorResponse(error, {}));

async function write(response: ServerResponse, content: Response): Promise<void> {
  const body = await content.text();
  response.writeHead(content.status, {
    ...Object.fromEntries(content.headers),
    "Content-Length": Buffer.byteLength(body),
  });
  response.end(response.req.method === "HEAD" ? undefined : body);
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
export async function refuseUnreadable(
  error: NodeJS.ErrnoException,
  socket: Duplex & { _httpMessage?: ServerResponse },
): Promise<void> {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  if (endAfterResponses(socket)) return;
  // A started response must not be followed by bytes of another.
  if (socket._httpMessage?.headersSent) return void socket.destroy();
  const refusal = UNREADABLE[error.code ?? ""] ?? MALFORMED;
  const content = errorResponse(refusal, { "X-Request-Id": recordRefusal(refusal) });
  const body = await content.text();
  const headers = {
    ...Object.fromEntries(content.headers),
    "Content-Length": String(Buffer.byteLength(body)),
    Connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${content.status} \r\n${lines.join("")}\r\n${body}`);
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Writes the log line, and returns its id. */
function recordRefusal(error: ApiError): string {
  const id = randomUUID();
  recordRequest({ id, route: "(refused)", method: undefined, status: error.status, started: performance.now() });
  return id;
}
