import type { IncomingMessage } from "node:http";
import { ApiError, badRequest } from "@/lib/errors";
import { hasMore, MAX_PARAMETERS } from "@/lib/http/page-limits";
import { bodyOver } from "./gate";
import { MAX_DEPTH, MAX_PARTS } from "./gate-limits";

/**
 * Waits for the whole body, checks it, and puts it back for the next reader of the request. Throws 413
 * `body_too_large`, 400 `bad_request` for a body with more nesting or parts than a page sends, and the error that ended
 * the request.
 */
export async function awaitBody(request: IncomingMessage, bytes: number): Promise<void> {
  checkContent(await arrived(request, bytes), request.headers["content-type"] ?? "");
}

/**
 * A `Request` does not accept a stream that was read. This tells it (node:stream's `isDisturbed`) that the whole body
 * is still there.
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
    const resolveWhole = () => {
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
      if (request.complete) end(resolveWhole);
    };
    request.on("readable", read).on("error", close).on("close", close);
  });
}

/** JSON is parsed and traversed level by level, and every part of a form is compared with all others. */
function checkContent(body: Buffer, type: string): void {
  const text = body.toString("latin1");
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) {
    if (hasMore(text, "&", MAX_PARAMETERS - 1)) throw tooComplex();
    return;
  }
  const boundary = /^multipart\/form-data\b.*?\bboundary=(?:"([^"]+)"|([^;\s]+))/is.exec(type);
  const divider = boundary && `--${boundary[1] ?? boundary[2]}`;
  if (divider && text.split(divider, MAX_PARTS + 3).length > MAX_PARTS + 2) throw tooComplex();
  for (const part of divider ? text.split(divider) : [text]) if (depthOf(part) > MAX_DEPTH) throw tooComplex();
}

/** The nesting depth of brackets, outside strings. */
function depthOf(text: string): number {
  let [depth, deepest, isQuoted] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (isQuoted) {
      if (sign === 0x5c) at++;
      else if (sign === 0x22) isQuoted = false;
    } else if (sign === 0x22) isQuoted = true;
    else if (sign === 0x5b || sign === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (sign === 0x5d || sign === 0x7d) depth--;
  }
  return deepest;
}

const tooComplex = () => badRequest("What was sent is nested too deeply, or has too many parts. Load the page again.");
