import type { ServerResponse } from "node:http";
import { pipeline, Writable } from "node:stream";
import { constants, createGzip, type Gzip } from "node:zlib";
import { BARE_POLICY, POLICY_HEADERS, STRICT_TRANSPORT } from "@/lib/platform/http/plain-page";

/** What a page of ours loads, and no browser shows as a page; never what a user stored. */
const LOADED_BY_PAGES = /^(?:text\/css|(?:application|text)\/javascript|font\/)/;
/** All of the policy that concerns those; the rest would be a quarter of a kilobyte of each. */
const FOR_LOADED = ["X-Content-Type-Options", "Cross-Origin-Resource-Policy"];

/**
 * Completes the head of every response to a browser. Next's pages bring their own policy (proxy.ts); its assets,
 * redirects and errors bring none. This happens when the head is written, because a route's own header would not
 * replace an existing one. Then calls `onHead`, which may change the status.
 */
export function completeHead(response: ServerResponse, onHead: () => void = () => {}): void {
  const writeHead = response.writeHead;
  // Whether people open this service over HTTPS, as `receive` determined.
  const isSecure = response.req.headers["x-forwarded-proto"] === "https";
  // Also called if a body is written without an explicit head.
  response.writeHead = function (this: ServerResponse, status: number, ...head: unknown[]) {
    this.writeHead = writeHead;
    this.statusCode = status;
    const isLoaded = this.req.url?.startsWith("/_next/static/") && LOADED_BY_PAGES.test(typeOf(this, head));
    if (!isLoaded) setMissing(this, "Content-Security-Policy", BARE_POLICY);
    for (const [name, value] of Object.entries(POLICY_HEADERS))
      if (!isLoaded || FOR_LOADED.includes(name)) setMissing(this, name, value);
    if (isSecure) setMissing(this, "Strict-Transport-Security", STRICT_TRANSPORT);
    onHead();
    return Reflect.apply(writeHead, this, [this.statusCode, ...head]);
  } as ServerResponse["writeHead"];
}

function typeOf(response: ServerResponse, head: unknown[]): string {
  const inHead = head.find((part): part is Record<string, unknown> => typeof part === "object" && part !== null);
  return String(inHead?.["Content-Type"] ?? response.getHeader("Content-Type") ?? "");
}

function setMissing(response: ServerResponse, name: string, value: string): void {
  if (!response.hasHeader(name)) response.setHeader(name, value);
}

/** Gets each part of a body before it is compressed. */
export type Copy = (chunk: unknown, isLast: boolean) => void;
/**
 * Called when the headers are known, before the head is written: if the body is to be compressed, returns a function
 * that is called when the memory for that is free again.
 */
export type Compression = (response: ServerResponse) => (() => void) | undefined;

/**
 * What happens to a body that Next writes, in this order: it is copied, then compressed. The only place beside
 * `completeHead`, which is called before, that replaces methods of a response.
 */
export function passBody(response: ServerResponse, copy?: Copy, compression?: Compression): void {
  const { writeHead, write, end } = response;
  let isDecided = false;
  let gzip: Gzip | undefined;
  const decide = () => {
    if (isDecided) return;
    isDecided = true;
    const freed = compression?.(response);
    if (freed) gzip = compressInto(response, { write, end }, freed);
  };
  response.writeHead = ((status: number, ...head: unknown[]) => {
    response.writeHead = writeHead;
    response.statusCode = status;
    // A head that brings its headers is that of a short page of our own, with its length.
    if (head.length === 0) decide();
    isDecided = true;
    return Reflect.apply(writeHead, response, [status, ...head]);
  }) as ServerResponse["writeHead"];
  response.write = ((...chunk: Parameters<ServerResponse["write"]>) => {
    copy?.(chunk[0], false);
    decide();
    if (!gzip || gzip.destroyed) return Reflect.apply(write, response, chunk);
    response.flushHeaders();
    return gzip.write(...chunk);
  }) as ServerResponse["write"];
  response.end = ((...chunk: Parameters<ServerResponse["end"]>) => {
    copy?.(chunk[0], true);
    decide();
    if (!gzip || gzip.destroyed) return Reflect.apply(end, response, chunk);
    response.flushHeaders();
    gzip.end(...chunk);
    return response;
  }) as ServerResponse["end"];
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
