import { ApiError } from "@/lib/errors";
import { clientHas, rangeApplies } from "./conditional";
import { parseRange } from "./range";
import { streamOf } from "./stream";

/** A body whose length and tag are known before its first byte is made. */
export interface Representation {
  /** Strong, quotes included: no other representation ever had it. */
  etag: string;
  length: number;
  headers: Record<string, string>;
  /** The bytes `first` to `last`, both included; made only as fast as the client takes them. */
  bytes(first: number, last: number): AsyncIterable<Uint8Array>;
  /** Whether a part of it may be asked for. */
  ranges: boolean;
}

/**
 * Answers 200, 206 or 304, whichever the request's conditions and range ask for (RFC 9110, section 13.2.2). Throws 416
 * `range_not_satisfiable`. Whatever `bytes` throws breaks the connection off.
 */
export function representationAnswer(asked: Headers, { etag, length, headers, bytes, ranges }: Representation): Response {
  const common = { ...headers, ETag: etag, ...(ranges && { "Accept-Ranges": "bytes" }) };
  if (clientHas(asked.get("if-none-match"), etag)) return new Response(null, { status: 304, headers: common });

  const range = ranges && rangeApplies(asked.get("if-range"), etag) ? parseRange(asked.get("range"), length) : "all";
  if (range === "unsatisfiable")
    throw new ApiError(416, "range_not_satisfiable", `This range lies behind the end: there are ${length} bytes.`, { "Content-Range": `bytes */${length}` });
  const { first, last } = range === "all" ? { first: 0, last: length - 1 } : range;
  return new Response(streamOf(bytes(first, last)), {
    status: range === "all" ? 200 : 206,
    headers: { ...common, "Content-Length": String(last - first + 1), ...(range !== "all" && { "Content-Range": `bytes ${first}-${last}/${length}` }) },
  });
}
