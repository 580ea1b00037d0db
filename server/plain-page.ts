import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { recordRequest } from "@/lib/api/refusal";
import { plainMarkup } from "@/lib/platform/http/plain-page";

/** A page built without Next. */
interface PlainPage {
  status: number;
  title: string;
  text: string;
  headers?: Record<string, string>;
  /** Seconds after which the browser reloads by itself. */
  retryAfter?: number;
}

/** Sends a page with our own text. Its policy is that of every response (./response-head). */
export function respondWithPage(
  response: ServerResponse,
  { status, title, text, headers = {}, retryAfter }: PlainPage,
): void {
  const page = plainMarkup(title, text, retryAfter);
  response
    .writeHead(status, {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Length": Buffer.byteLength(page),
      "Cache-Control": "no-store",
      ...(retryAfter !== undefined && { "Retry-After": String(retryAfter) }),
      ...headers,
    })
    .end(response.req.method === "HEAD" ? undefined : page);
}

/** Responds to page requests while there is no database yet: Next cannot send its own pages with 503. */
export function respondWaiting(response: ServerResponse, route: string): void {
  const id = randomUUID();
  recordRequest({ id, route, method: response.req.method, status: 503, started: performance.now() });
  respondWithPage(response, {
    status: 503,
    title: "Back in a moment",
    text: "Latchkey is starting or waiting for its database. Nothing is lost; this page reloads automatically.",
    headers: { "X-Request-Id": id },
    retryAfter: 5,
  });
}
