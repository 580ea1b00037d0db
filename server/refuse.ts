import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { ApiError } from "@/lib/errors";
import { errorAnswer } from "@/lib/http/answer";
import { recordRequest } from "@/lib/http/request-log";

/** Answers a request that no handler gets to see, with the contract's error body. */
export async function refuse(response: ServerResponse, error: ApiError): Promise<void> {
  const answer = refusal(error);
  const body = await answer.text();
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), "Content-Length": Buffer.byteLength(body) });
  response.end(body);
}

/** What the HTTP parser refuses, by Node's error code. */
const UNREADABLE: Record<string, ApiError> = {
  HPE_HEADER_OVERFLOW: new ApiError(431, "headers_too_large", "The address and the headers are longer than 262,144 bytes."),
  HPE_INVALID_URL: new ApiError(
    400,
    "bad_request",
    "The address holds bytes that must be percent-encoded: letters beyond ASCII, blanks or control characters.",
  ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new ApiError(413, "body_too_large", "The request's chunk extensions are too long."),
  ERR_HTTP_REQUEST_TIMEOUT: new ApiError(408, "request_timeout", "The request did not arrive in time."),
};
const MALFORMED = new ApiError(400, "bad_request", "The request is not valid HTTP.");

/** How long a refused client may take to read why: it may still be sending, and a reset would drop the answer. */
const LINGER_MS = 1_000;

/** Listener of `clientError`: answers what Node could not read as JSON, where the connection still allows that. */
export async function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex & { _httpMessage?: ServerResponse }): Promise<void> {
  // Bytes of an answer that has begun must not be followed by those of another.
  if (error.code === "ECONNRESET" || !socket.writable || socket._httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  const answer = refusal(UNREADABLE[error.code ?? ""] ?? MALFORMED);
  const body = await answer.text();
  const headers = { ...Object.fromEntries(answer.headers), "Content-Length": String(Buffer.byteLength(body)), Connection: "close" };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${answer.status} \r\n${lines.join("")}\r\n${body}`);
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function refusal(error: ApiError): Response {
  const id = randomUUID();
  recordRequest({ id, route: "(refused)", method: undefined, status: error.status, started: performance.now() });
  return errorAnswer(error, { "X-Request-Id": id });
}
