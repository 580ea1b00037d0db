import type { ApiError } from "../errors";

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
  "Access-Control-Expose-Headers": [
    ...["ETag", "Accept-Ranges", "Content-Range", "Retry-After", "Link", "Link-Expires-In", "Link-Interval"],
    ...["Link-Secret", "Preference-Applied", "X-Request-Id"],
  ].join(", "),
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

/** A response with a text, which `asResponse` or Node writes. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export const asResponse = ({ status, headers, body }: Answer) => new Response(body, { status, headers });

/** Every error (contract, section 1: error). */
export const errorAnswer = ({ status, headers, message, code }: ApiError, more?: Record<string, string>): Answer => ({
  status,
  headers: Object.assign({}, JSON_HEADERS, headers, more),
  body: JSON.stringify({ success: false, error: message, message, code }),
});

/** The same as a `Response`. */
export const errorResponse = (error: ApiError, more: Record<string, string>) => asResponse(errorAnswer(error, more));

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
        "Authorization, Content-Type, Prefer, Link-Secret, If-Match, If-None-Match, If-Range, Range",
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
