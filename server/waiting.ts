import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { recordRequest } from "@/lib/api/refusal";
import { respondWithPage } from "./plain-page";

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
