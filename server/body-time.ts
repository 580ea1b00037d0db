import type { IncomingMessage, ServerResponse } from "node:http";
import { requestTimeout } from "@/lib/platform/errors";
import { refuse } from "./refuse";

const MINUTE_MS = 60_000;
/** For forms, and for parts of an upload. */
const USUAL_MS = 5 * MINUTE_MS;
/** For documents, which may be as large as the quota and arrive over a slow line. */
const DOCUMENT_MS = 6 * 60 * MINUTE_MS;
/** Maximum pause between two bytes. */
const SILENCE_MS = MINUTE_MS;

/**
 * Ends a request whose body does not arrive: 408, and the connection is closed. Node has one limit for all requests,
 * and a complete document takes longer than anything else may.
 */
export function limitBodyTime(request: IncomingMessage, response: ServerResponse, path: string): void {
  const { "content-length": length, "transfer-encoding": coding } = request.headers;
  if (coding === undefined && (length === undefined || length === "0")) return;
  const longest = path === "/files/import" ? DOCUMENT_MS : USUAL_MS;
  const began = performance.now();
  const { socket } = request;
  let [arrived, lastReceived] = [socket.bytesRead, began];

  const timer = setInterval(() => {
    const now = performance.now();
    if (request.complete || socket.destroyed) return clearInterval(timer);
    // While received data still waits for the service, nothing is late.
    if (socket.bytesRead > arrived || request.readableLength > 0) [arrived, lastReceived] = [socket.bytesRead, now];
    if (now - began < longest && now - lastReceived < SILENCE_MS) return;
    clearInterval(timer);
    void cut(request, response);
  }, 5_000).unref();
}

async function cut(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!response.headersSent) {
    response.setHeader("Connection", "close");
    await refuse(response, requestTimeout());
  }
  request.destroy();
}
