import type { IncomingMessage, ServerResponse } from "node:http";
import { accepts } from "@/lib/platform/http/headers";
import type { Compression } from "./response";

/** A compression holds 256 KB until its client has read nearly all: 64 MB in all. Beyond that, pages are sent plain. */
const MAX_AT_ONCE = 256;
/** Pages, and the client that the service serves. */
const PAGES = /^text\/(?:html|x-component|javascript)\b/;
/** Without a body, or with a part of one. */
const NEVER = [204, 206, 304];

/**
 * Compresses a page if its client accepts gzip and nobody can learn anything from the length
 * (docs/decisions/page-compression.md). `limit` is how many are compressed at once. Next's own compresses whatever it
 * is, parts of files too, and keeps its memory when a client disconnects; compression 1.8.2 takes the length from pages
 * that stay plain, and never forgets who waits for "drain".
 */
export function pageCompression(limit = MAX_AT_ONCE): Compression {
  let running = 0;

  return (response) => {
    const { req: request } = response;
    if (!isPlainPage(response)) return undefined;
    addToVary(response, "Accept-Encoding");
    if (request.method === "HEAD" || running >= limit || !revealsNothing(request)) return undefined;
    if (!accepts("gzip", String(request.headers["accept-encoding"] ?? ""))) return undefined;
    response.removeHeader("Content-Length");
    response.setHeader("Content-Encoding", "gzip");
    running++;
    return () => running--;
  };
}

/**
 * Whether the response holds no text of somebody else beside what is only this visitor's: else its length would tell
 * how much both have in common (BREACH). Without cookies a page has no secret. With them, another site must not have
 * caused the request, and its address must not bring any text.
 */
function revealsNothing({ url = "", headers }: IncomingMessage): boolean {
  if (headers.cookie === undefined) return true;
  if (headers["sec-fetch-site"] !== "same-origin" && headers["sec-fetch-site"] !== "none") return false;
  // Next's router adds a hash of its state. No other site can send the header.
  return !url.includes("?") || (headers.rsc === "1" && /^[^?]*\?_rsc=\w{1,16}$/.test(url));
}

function isPlainPage(response: ServerResponse): boolean {
  return (
    !NEVER.includes(response.statusCode) &&
    !response.hasHeader("Content-Encoding") &&
    PAGES.test(String(response.getHeader("Content-Type") ?? ""))
  );
}

function addToVary(response: ServerResponse, name: string): void {
  const before = response.getHeader("Vary");
  response.setHeader("Vary", before === undefined ? name : `${before}, ${name}`);
}
