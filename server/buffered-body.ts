import type { IncomingMessage, ServerResponse } from "node:http";
import { ApiError, requestTimeout } from "@/lib/platform/errors";
import { bodyOver } from "@/lib/platform/http/limits";
import { checkCall, checkContent } from "./bodies";
import { bodyLength } from "./gate";
import type { Lane } from "./gate-limits";
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
  if (bodyLength(request.headers) === undefined) return;
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
    refuse(response, requestTimeout());
    request.destroy();
  }, 5_000).unref();
}

/**
 * Waits for the complete body, checks it, and puts it back for the next reader of the request. Throws 413
 * `body_too_large`, 400 `bad_request` for a body with more nesting, values or parts than a page sends, or with
 * arguments of an action that no page passes, and the error that ended the request.
 */
export async function awaitBody(request: IncomingMessage, lane: Pick<Lane, "bodyBytes" | "arguments">): Promise<void> {
  const body = await arrived(request, lane.bodyBytes);
  const type = request.headers["content-type"] ?? "";
  if (lane.arguments === undefined) checkContent(body, type);
  else checkCall(body, type, lane.arguments);
}

/**
 * A `Request` does not accept a stream that was read. This tells it (node:stream's `isDisturbed`) that the complete
 * body is still there.
 */
const UNREAD = { [Symbol.for("nodejs.stream.disturbed")]: false };

function arrived(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const end = (act: () => void) => {
      request.off("readable", read).off("error", close).off("close", close);
      act();
    };
    const fail = (error: ApiError) => end(() => reject(error));
    // A client that has disconnected gets none of this.
    const close = () => fail(new ApiError(400, "aborted", "The request was incomplete."));
    const resolveBody = () => {
      const body = Buffer.concat(chunks, length);
      // As in Node's documentation of `unshift`, and immediately: in the next turn the stream would have ended for
      // everybody.
      if (length > 0) request.unshift(body);
      Object.assign(request, UNREAD);
      resolve(body);
    };
    const read = () => {
      for (let chunk: Buffer | null = request.read(); chunk !== null; chunk = request.read()) {
        chunks.push(chunk);
        length += chunk.length;
        if (length > limit) return fail(bodyOver(limit));
      }
      if (request.complete) end(resolveBody);
    };
    request.on("readable", read).on("error", close).on("close", close);
  });
}
