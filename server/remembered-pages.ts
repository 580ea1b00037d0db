import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { constants, crc32, deflateRawSync } from "node:zlib";
import { isForProgram } from "@/lib/api/refusal";
import { accepts, clientHas } from "@/lib/platform/http/headers";
import { addHeader, removeHeaders } from "./incoming";
import type { Copy } from "./response";

/** Files of ours that Next serves. They are the same for everybody. */
const FILES = new Set(["/client.mjs", "/client.d.mts", "/icon.svg", "/favicon.ico"]);
/** Pages that are the same for all visitors without a cookie of ours, but for their nonce and id. */
const PAGES = /^\/(?:docs(?:\/.*)?|signin|signup|link)?$/;
const OUR_COOKIES = /next-auth|latchkey/i;
/** All that is remembered. Beyond it, all is forgotten: only without NEXTAUTH_URL do clients choose the origins. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Headers that Next may see of a request for something remembered: all others are this visitor's. */
const FORWARDED = /^(?:accept-encoding|x-forwarded-.*|x-latchkey-.*|x-request-id)$/;
/** Headers of one response, not of all. */
const OWN = /^(?:x-request-id|connection|keep-alive|date|transfer-encoding|content-(?:length|encoding))$/;

interface Remembered {
  headers: [name: string, value: string | string[]][];
  /** In each form, pieces of the page with a nonce or an id between each two. */
  plain: Buffer[];
  gzip: Buffer[];
  /** What is between them. */
  between: ("nonce" | "id")[];
  /** The nonce in `headers`, if it is a page. */
  nonce: string | undefined;
}

export interface RememberedPages {
  /** Responds, if the response is cached. */
  respond(request: IncomingMessage, response: ServerResponse, id: string): boolean;
  /**
   * Returns what remembers the body, after it has removed from the request what Next must not see of this visitor.
   * Undefined if the response may differ from what others get.
   */
  copy(request: IncomingMessage, response: ServerResponse, id: string): Copy | undefined;
}

/**
 * Remembers pages and files that are the same for everybody, so that each is created once: a page of the documentation
 * took 50 ms. Every response still gets its own nonce and id.
 */
export function rememberedPages(maxBytes = MAX_BYTES): RememberedPages {
  const pages = new Map<string, Remembered>();
  let bytes = 0;

  const remember = (key: string, page: Remembered) => {
    if (pages.has(key)) return;
    const size = [...page.plain, ...page.gzip].reduce((sum, piece) => sum + piece.length, 0);
    if (bytes + size > maxBytes) {
      pages.clear();
      bytes = 0;
    }
    if (size > maxBytes) return;
    pages.set(key, page);
    bytes += size;
  };

  return {
    respond(request, response, id) {
      const page = pages.get(keyOf(request) ?? "");
      if (page) send(page, response, { method: request.method, headers: request.headers, id });
      return page !== undefined;
    },
    copy(request, response, id) {
      const key = keyOf(request);
      if (key === undefined || request.method !== "GET") return undefined;
      const isProgram = isForProgram(request.headers.accept);
      removeHeaders(request, (name) => !FORWARDED.test(name));
      addHeader(request, "host", String(request.headers["x-forwarded-host"]));
      // An unknown page is HTML for a person, and JSON for a program.
      addHeader(request, "accept", isProgram ? "*/*" : "text/html");
      // Without one, Next would send the title after the page.
      addHeader(request, "user-agent", "Latchkey");
      return copyOf(response, (headers, body) => remember(key, inPieces(headers, body, id)));
    },
  };
}

/** Undefined if the response may differ from what others get. */
function keyOf({ method, url = "", headers }: IncomingMessage): string | undefined {
  if (method !== "GET" && method !== "HEAD") return undefined;
  const query = url.indexOf("?");
  const path = query < 0 ? url : url.slice(0, query);
  const isFile = FILES.has(path);
  // Some programs take all of a file for the rest of it: its route knows.
  if (headers.range !== undefined && (isFile || path.startsWith("/docs/examples/"))) return undefined;
  if (isFile) return path;
  // An empty query is none.
  if ((query >= 0 && query < url.length - 1) || !PAGES.test(path) || OUR_COOKIES.test(headers.cookie ?? ""))
    return undefined;
  // What Next's router loads is not the page itself.
  if (headers.rsc !== undefined) return undefined;
  return `${headers["x-forwarded-proto"]}://${headers["x-forwarded-host"]}${path}`;
}

function send(
  page: Remembered,
  response: ServerResponse,
  { method, headers, id }: Pick<IncomingMessage, "method" | "headers"> & { id: string },
): void {
  const nonce = randomBytes(16).toString("base64");
  for (const [name, value] of page.headers)
    response.setHeader(
      name,
      page.nonce !== undefined && typeof value === "string" ? value.replaceAll(page.nonce, nonce) : value,
    );
  const tag = page.nonce === undefined ? response.getHeader("ETag") : undefined;
  if (tag !== undefined && clientHas(headers["if-none-match"] ?? null, String(tag).replace(/^W\//, ""))) {
    response.removeHeader("Content-Type");
    response.writeHead(304).end();
    return;
  }
  const fresh = page.between.map((what) => Buffer.from(what === "id" ? id : nonce, "latin1"));
  const plain = page.plain.flatMap((piece, index) => [piece, fresh[index] ?? EMPTY]);
  const isGzip = page.gzip.length > 0 && accepts("gzip", String(headers["accept-encoding"] ?? ""));
  if (isGzip) response.setHeader("Content-Encoding", "gzip");
  const body = Buffer.concat(isGzip ? gzipOf(page.gzip, fresh, plain) : plain);
  response.setHeader("Content-Length", body.length);
  response.writeHead(200).end(method === "HEAD" ? undefined : body);
}

const EMPTY = Buffer.alloc(0);

/** Calls `then` with the headers and the body, if the response is a complete one that others may get. */
function copyOf(response: ServerResponse, then: (headers: Remembered["headers"], body: Buffer) => void): Copy {
  const chunks: Buffer[] = [];
  let headers: Remembered["headers"] | undefined;
  return (chunk, isLast) => {
    // Before they are written, and before anything compresses them.
    headers ??= Object.entries(response.getHeaders()).flatMap(([name, value]) =>
      value === undefined || OWN.test(name) ? [] : [[name, Array.isArray(value) ? value : String(value)]],
    );
    if (typeof chunk === "string" || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string));
    if (!isLast) return;
    const body = Buffer.concat(chunks);
    if (isComplete(response, body)) then(headers, body);
  };
}

/** Not a page whose client has disconnected, or part of which failed (React marks that). */
function isComplete(response: ServerResponse, body: Buffer): boolean {
  if (response.statusCode !== 200 || response.destroyed || response.hasHeader("Set-Cookie")) return false;
  const isHtml = String(response.getHeader("Content-Type") ?? "").startsWith("text/html");
  return !isHtml || (body.subarray(-20).includes("</html>") && !body.includes("data-dgst"));
}

function inPieces(headers: Remembered["headers"], body: Buffer, id: string): Remembered {
  const headerOf = (searched: string) => String(headers.find(([name]) => name === searched)?.[1] ?? "");
  const nonce = /'nonce-([^']+)'/.exec(headerOf("content-security-policy"))?.[1];
  const page: Remembered = { headers, plain: [], gzip: [], between: [], nonce };
  // Latin-1 keeps every byte. Splitting by a group keeps what is between.
  const pattern = new RegExp(`(${[id, ...(nonce ? [nonce.replace(/[+/=]/g, "\\$&")] : [])].join("|")})`);
  for (const [index, piece] of body.toString("latin1").split(pattern).entries()) {
    if (index % 2 === 0) page.plain.push(Buffer.from(piece, "latin1"));
    else page.between.push(piece === id ? "id" : "nonce");
  }
  if (!/^text\//.test(headerOf("content-type"))) return page;
  const vary = headerOf("vary");
  const others = headers.filter(([name]) => name !== "vary");
  const varies = vary.split(/, */).filter((name) => name !== "" && !/^accept-encoding$/i.test(name));
  page.headers = [...others, ["vary", [...varies, "Accept-Encoding"].join(", ")]];
  const lengths = page.between.map((what) => (what === "id" ? id.length : (nonce?.length ?? 0)));
  page.gzip = deflated(page.plain, lengths);
  return page;
}

const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]);
const LAST_BLOCK = Buffer.from([1, 0, 0, 255, 255]);

/** What a block may refer to. */
const WINDOW_BYTES = 32_768;

/**
 * Compresses pieces into blocks that end at a byte, so that others can be put between them. Those take part as bytes
 * that no page has, so that no piece refers to them.
 */
function deflated(pieces: Buffer[], lengthsBetween: number[]): Buffer[] {
  let before = EMPTY;
  return pieces.map((piece, index) => {
    const block = deflateRawSync(piece, {
      finishFlush: constants.Z_SYNC_FLUSH,
      ...(before.length > 0 && { dictionary: before }),
    });
    before = Buffer.concat([before, piece, Buffer.alloc(lengthsBetween[index] ?? 0, 0xff)]).subarray(-WINDOW_BYTES);
    return block;
  });
}

function gzipOf(blocks: Buffer[], between: Buffer[], plain: Buffer[]): Buffer[] {
  const end = Buffer.alloc(8);
  end.writeUInt32LE(plain.reduce((sum, piece) => crc32(piece, sum), 0));
  end.writeUInt32LE(
    plain.reduce((sum, piece) => sum + piece.length, 0),
    4,
  );
  const body = blocks.flatMap((block, index) => [block, ...storedBlock(between[index])]);
  return [GZIP_HEAD, ...body, LAST_BLOCK, end];
}

/** A block with these bytes as they are (RFC 1951, section 3.2.4). */
function storedBlock(bytes: Buffer | undefined): Buffer[] {
  if (!bytes) return [];
  const head = Buffer.from([0, bytes.length, 0, ~bytes.length & 255, 255]);
  return [head, bytes];
}
