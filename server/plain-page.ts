import type { ServerResponse } from "node:http";
import { plainMarkup } from "@/lib/platform/http/plain-page";

/** A page built without Next. */
export interface PlainPage {
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
