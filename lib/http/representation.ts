import { rangeNotSatisfiable } from "@/lib/errors";
import { noteLength } from "@/lib/request-user";
import { clientHas, rangeApplies } from "./conditional";
import { parseRange } from "./range";
import { streamOf } from "./stream";

/** A body whose length and tag are known before its first byte is produced. */
export interface Representation {
  /** Strong, quotes included; never reused for another representation. */
  etag: string;
  length: number;
  headers: Record<string, string>;
  /** The bytes `first` to `last`, both inclusive; produced only as fast as the client reads them. */
  bytes(first: number, last: number): AsyncIterable<Uint8Array>;
  /** Whether clients may request ranges of it. */
  ranges: boolean;
}

/**
 * Responds with 200, 206 or 304, according to the request's conditions and range (RFC 9110, section 13.2.2). Throws 416
 * `range_not_satisfiable`. An error from `bytes` cuts the connection.
 */
export function representationAnswer(
  asked: Headers,
  { etag, length, headers, bytes, ranges }: Representation,
): Response {
  const common = { ...headers, ETag: etag, ...(ranges && { "Accept-Ranges": "bytes" }) };
  if (clientHas(asked.get("if-none-match"), etag)) return new Response(null, { status: 304, headers: common });

  const range = ranges && rangeApplies(asked.get("if-range"), etag) ? parseRange(asked.get("range"), length) : "all";
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
