import { type ApiError, rangeNotSatisfiable } from "../errors";
import { noteLength } from "../request";
import { clientHas } from "./headers";

/**
 * A body from an async iterable, such as a generator. It pulls the next chunk only after the client took the last one,
 * and ends the iterable when the client disconnects. An error cuts the connection. (`Readable.toWeb` throws an uncaught
 * exception on some aborts.)
 */
export function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value as Uint8Array<ArrayBuffer>);
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

// Clients are browser programs too, and no API route reads a cookie (contract, section 1: CORS).
const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "ETag, Retry-After, Link, Link-Expires-In, Link-Interval, Link-Secret, Preference-Applied, X-Request-Id",
};
const JSON_HEADERS = {
  ...CORS,
  "Content-Type": "application/json; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
};

/** 200 with `body` as JSON. */
export function jsonResponse(body: unknown, headers: Record<string, string>, status = 200): Response {
  // Not a spread: after one, V8 takes ten times as long to add a header and to list them.
  return new Response(JSON.stringify(body), { status, headers: Object.assign({}, JSON_HEADERS, headers) });
}

/** 200 with JSON that is written already, and compressed for those who accept that. */
export function preparedJson(body: Buffer, isGzip: boolean): Response {
  const coding: Record<string, string> = isGzip ? { "Content-Encoding": "gzip" } : {};
  const headers = Object.assign({}, JSON_HEADERS, coding, {
    Vary: "Accept-Encoding",
    "Content-Length": String(body.length),
  });
  return new Response(body as Uint8Array<ArrayBuffer>, { headers });
}

/**
 * 200 with the items of all pages as one JSON array. An error in the first page still becomes an error response; a
 * later one cuts the connection, so that nobody takes half a list for the whole. `link` is the value of a Link header.
 */
export async function jsonArray(pages: AsyncIterable<unknown[]>, link?: string): Promise<Response> {
  const headers = { ...JSON_HEADERS, ...(link && { Link: link }) };
  const rest = arrayText(pages);
  const parts: string[] = [];
  for (let next = await rest.next(); !next.done; next = await rest.next()) {
    parts.push(next.value);
    if (parts.length < 2) continue;
    return new Response(streamOf(encoded(parts, rest)), { headers });
  }
  return new Response(parts.join(""), { headers });
}

async function* encoded(first: string[], rest: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const text of first) yield encoder.encode(text);
  for await (const text of rest) yield encoder.encode(text);
}

async function* arrayText(pages: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  let before = "[";
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield before + JSON.stringify(page).slice(1, -1);
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}

/** The body of every error (contract, section 1: error). */
export function errorResponse(error: ApiError, headers: Record<string, string>): Response {
  const body = { success: false, error: error.message, message: error.message, code: error.code };
  return jsonResponse(body, { ...error.headers, ...headers }, error.status);
}

/** The response to a preflight. */
export function optionsResponse(allow: string, headers: Record<string, string>): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...CORS,
      ...headers,
      Allow: allow,
      "Access-Control-Allow-Methods": allow,
      "Access-Control-Allow-Headers":
        "Authorization, Content-Type, Prefer, Link-Secret, If-None-Match, If-Range, Range",
      "Access-Control-Max-Age": "86400",
      "Cache-Control": "no-store",
    },
  });
}

/** Adds the headers of every response to one that a handler built itself (a stream). */
export function withCommonHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries({ ...CORS, "X-Content-Type-Options": "nosniff", ...headers }))
    response.headers.set(name, value);
  return response;
}

/** A body whose tag is known before its first byte is produced. */
interface Representation {
  /** Strong, quotes included; never reused for another representation. */
  etag: string;
  /** Undefined: not known before the last byte, so that there are no ranges. */
  length: number | undefined;
  headers: Record<string, string>;
  /** The bytes `first` to `last`, both inclusive, or all; produced only as fast as the client reads them. */
  bytes(first?: number, last?: number): AsyncIterable<Uint8Array>;
  /** Whether clients may request ranges of it. */
  ranges: boolean;
}

/**
 * Responds with 200, 206 or 304, according to the request's conditions and range (RFC 9110, section 13.2.2). Throws 416
 * `range_not_satisfiable`. An error from `bytes` cuts the connection.
 */
export function representationResponse(
  requestHeaders: Headers,
  { etag, length, headers, bytes, ranges }: Representation,
): Response {
  const common = { ...headers, ETag: etag, ...(ranges && { "Accept-Ranges": "bytes" }) };
  if (clientHas(requestHeaders.get("if-none-match"), etag)) return new Response(null, { status: 304, headers: common });
  if (length === undefined) return new Response(streamOf(bytes()), { headers: common });

  const range =
    ranges && rangeApplies(requestHeaders.get("if-range"), etag)
      ? parseRange(requestHeaders.get("range"), length)
      : "all";
  if (range === "unsatisfiable") throw rangeNotSatisfiable(length);
  const { first, last } = range === "all" ? { first: 0, last: length - 1 } : range;
  const size = last - first + 1;
  noteLength(size);
  return new Response(streamOf(bytes(first, last)), {
    status: range === "all" ? 200 : 206,
    headers: {
      ...common,
      "Content-Length": String(size),
      ...(range !== "all" && { "Content-Range": `bytes ${first}-${last}/${length}` }),
    },
  });
}

/**
 * Whether a Range may be honoured: there is no If-Range, or it equals the strong tag of what would be sent (RFC 9110,
 * section 13.1.5). A date never matches, because responses carry none.
 */
export function rangeApplies(ifRange: string | null, etag: string): boolean {
  return ifRange === null || ifRange.trim() === etag;
}

/** Bytes of a representation, both ends inclusive, counted from 0. */
interface ByteRange {
  first: number;
  last: number;
}

/**
 * The single byte range that a Range header requests of `length` bytes (RFC 9110, section 14.1.2). "all" if the header
 * must be ignored: absent, several ranges, malformed or in another unit. "unsatisfiable" if the range starts past the
 * end.
 */
export function parseRange(header: string | null, length: number): ByteRange | "all" | "unsatisfiable" {
  const [, from, to] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return "all";
  if (from === "") {
    const count = Math.min(Number(to), length);
    return count === 0 ? "unsatisfiable" : { first: length - count, last: length - 1 };
  }
  if (to !== "" && Number(to) < Number(from)) return "all";
  if (Number(from) >= length) return "unsatisfiable";
  return { first: Number(from), last: to === "" ? length - 1 : Math.min(Number(to), length - 1) };
}
