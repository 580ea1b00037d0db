import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { recordRequest } from "@/lib/http/request-log";

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="5">
<title>Back in a moment · Latchkey</title>
<style>
body { margin: 0; min-height: 100vh; display: grid; place-content: center; font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 26rem; padding: 1.5rem; }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.2; }
p { margin: 0; }
</style>
<main>
<h1>Back in a moment</h1>
<p>Latchkey is starting, or waits for its database. Nothing is lost; this page tries again by itself.</p>
</main>
</html>
`;

/** Answers a page while there is no database yet. */
export function answerWaiting(response: ServerResponse, route: string): void {
  const id = randomUUID();
  recordRequest({ id, route, method: response.req.method, status: 503, started: performance.now() });
  response
    .writeHead(503, {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Length": Buffer.byteLength(PAGE),
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
      "Retry-After": "5",
      "X-Request-Id": id,
    })
    .end(response.req.method === "HEAD" ? undefined : PAGE);
}
