import type { IncomingMessage } from "node:http";
import { ApiError } from "@/lib/platform/errors";
import { checkCall, checkContent } from "./body-content";
import { bodyOver } from "./gate";
import type { Lane } from "./gate-limits";

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
    const close = () => fail(new ApiError(400, "aborted", "The request did not arrive whole."));
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
