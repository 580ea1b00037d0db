import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { ApiError } from "@/lib/errors";
import { errorAnswer } from "@/lib/http/answer";
import { isForProgram } from "@/lib/http/not-found";
import { recordRequest } from "@/lib/http/request-log";
import { answerPlainPage } from "./plain-page";

/** Answers a request that no handler gets to see, with the contract's error body, or as `answer` does it. */
export async function refuse(response: ServerResponse, error: ApiError, answer = answerAsJson): Promise<void> {
  response.setHeader("X-Request-Id", recordRefusal(error));
  await answer(response, error);
}

/** Tells a person who asks by a page, everybody else by the error body. The answer has its `X-Request-Id` already, and its line in the log. */
export async function answerPlainly(response: ServerResponse, error: ApiError): Promise<void> {
  if (isForProgram(response.req.headers.accept)) return answerAsJson(response, error);
  answerPlainPage(response, { status: error.status, title: TITLES[error.status] ?? "This did not work", text: error.message, headers: error.headers });
}

const TITLES: Record<number, string> = {
  405: "Nothing here answers that",
  413: "Too much was sent",
  414: "This address is too long",
  429: "One moment",
  431: "Too much was sent along",
  503: "One moment",
};

async function answerAsJson(response: ServerResponse, error: ApiError): Promise<void> {
  const answer = errorAnswer(error, {});
  const body = await answer.text();
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), "Content-Length": Buffer.byteLength(body) });
  response.end(response.req.method === "HEAD" ? undefined : body);
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
  const told = UNREADABLE[error.code ?? ""] ?? MALFORMED;
  const answer = errorAnswer(told, { "X-Request-Id": recordRefusal(told) });
  const body = await answer.text();
  const headers = { ...Object.fromEntries(answer.headers), "Content-Length": String(Buffer.byteLength(body)), Connection: "close" };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${answer.status} \r\n${lines.join("")}\r\n${body}`);
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Writes the line in the log, and answers the id that stands in it. */
function recordRefusal(error: ApiError): string {
  const id = randomUUID();
  recordRequest({ id, route: "(refused)", method: undefined, status: error.status, started: performance.now() });
  return id;
}
