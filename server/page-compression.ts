import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline, Writable } from "node:stream";
import { constants, createGzip, type Gzip } from "node:zlib";
import { accepts } from "@/lib/platform/http/headers";

/** A compression holds 256 KB until its client has read nearly all: 64 MB in all. Beyond that, pages are sent plain. */
const MAX_AT_ONCE = 256;
/** Pages, and the client that the service serves. */
const PAGES = /^text\/(?:html|x-component|javascript)\b/;
/** Without a body, or with a part of one. */
const NEVER = [204, 206, 304];

/**
 * Compresses the response to a request for a page while it is written, if the client accepts gzip and nobody can learn
 * anything from the length (docs/decisions/page-compression.md). `limit` is how many are compressed at once. Next's
 * own compresses whatever it is, parts of files too, and keeps its memory when a client disconnects; compression 1.8.2
 * takes the length from pages that stay plain, and never forgets who waits for "drain".
 */
export function pageCompression(limit = MAX_AT_ONCE): (request: IncomingMessage, response: ServerResponse) => void {
  let running = 0;

  return (request, response) => {
    const { writeHead, write, end } = response;
    let isDecided = false;
    let gzip: Gzip | undefined;

    // Called before the head is written, when its headers are known.
    const decide = (status: number) => {
      if (isDecided) return;
      isDecided = true;
      if (!isPlainPage(status, response)) return;
      addToVary(response, "Accept-Encoding");
      if (request.method === "HEAD" || running >= limit || !revealsNothing(request)) return;
      if (!accepts("gzip", String(request.headers["accept-encoding"] ?? ""))) return;
      response.removeHeader("Content-Length");
      response.setHeader("Content-Encoding", "gzip");
      running++;
      gzip = compressInto(response, { write, end }, () => running--);
    };

    response.writeHead = ((...head: Parameters<ServerResponse["writeHead"]>) => {
      response.writeHead = writeHead;
      // A head that brings its headers is that of a short page of our own, with its length.
      if (head.length === 1) decide(head[0]);
      isDecided = true;
      return Reflect.apply(writeHead, response, head);
    }) as ServerResponse["writeHead"];
    response.write = ((...chunk: Parameters<ServerResponse["write"]>) => {
      decide(response.statusCode);
      if (!gzip || gzip.destroyed) return Reflect.apply(write, response, chunk);
      response.flushHeaders();
      return gzip.write(...chunk);
    }) as ServerResponse["write"];
    response.end = ((...chunk: Parameters<ServerResponse["end"]>) => {
      decide(response.statusCode);
      if (!gzip || gzip.destroyed) return Reflect.apply(end, response, chunk);
      response.flushHeaders();
      gzip.end(...chunk);
      return response;
    }) as ServerResponse["end"];
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

function isPlainPage(status: number, response: ServerResponse): boolean {
  return (
    !NEVER.includes(status) &&
    !response.hasHeader("Content-Encoding") &&
    PAGES.test(String(response.getHeader("Content-Type") ?? ""))
  );
}

function addToVary(response: ServerResponse, name: string): void {
  const before = response.getHeader("Vary");
  response.setHeader("Vary", before === undefined ? name : `${before}, ${name}`);
}

/**
 * A gzip stream whose output goes to `response`, and which is freed when that closes. Its writer waits for this stream
 * instead of for the connection: both would otherwise tell it to continue.
 */
function compressInto(
  response: ServerResponse,
  { write, end }: Pick<ServerResponse, "write" | "end">,
  freed: () => void,
): Gzip {
  // Every chunk is sent at once: a page's head is shown before its last part is ready.
  const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
  const connection = new Writable({
    write: (chunk, _, done) => void Reflect.apply(write, response, [chunk, done]),
    final: (done) => {
      Reflect.apply(end, response, []);
      done();
    },
  });
  const emit = response.emit.bind(response);
  response.emit = ((event: string, ...rest: unknown[]) => event !== "drain" && emit(event, ...rest)) as typeof emit;
  gzip.on("drain", () => emit("drain"));
  response.once("close", () => gzip.destroy());
  pipeline(gzip, connection, (error) => {
    freed();
    if (error) response.destroy();
  });
  return gzip;
}
