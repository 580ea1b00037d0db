import { preconditionFailed, rangeNotSatisfiable } from "../errors";
import { noteLength } from "../request";
import { clientHas, isNamed, wouldAppend } from "./headers";
import { streamOf } from "./response";

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
  /** Whether a range without a tag can be of it only: no client has the beginning of another version. */
  isSettled: boolean;
}

/**
 * Responds with 200, 206 or 304, according to the request's conditions and range (RFC 9110, section 13.2.2). Throws 412
 * `precondition_failed` and 416 `range_not_satisfiable`. An error from `bytes` cuts the connection.
 */
export function representationResponse(
  requestHeaders: Headers,
  { etag, length, headers, bytes, ranges, isSettled }: Representation,
): Response {
  const common = { ...headers, ETag: etag, ...(ranges && { "Accept-Ranges": "bytes" }) };
  const ifMatch = requestHeaders.get("if-match");
  if (ifMatch !== null && !isNamed(ifMatch, etag)) throw preconditionFailed();
  if (clientHas(requestHeaders.get("if-none-match"), etag)) return new Response(null, { status: 304, headers: common });
  const mayRange = length !== undefined && ranges && rangeApplies(requestHeaders, etag, isSettled);
  const range = mayRange ? parseRange(requestHeaders.get("range"), length) : "all";
  // Before the length of what is not sent is noted.
  if (range === "all" && wouldAppend(requestHeaders)) throw preconditionFailed();
  if (length === undefined) return new Response(streamOf(bytes()), { headers: common });
  if (range === "unsatisfiable") throw rangeNotSatisfiable(length);
  const size = range === "all" ? length : range.last - range.first + 1;
  noteLength(size);
  const sized = { ...common, "Content-Length": String(size) };
  if (range === "all") return new Response(streamOf(bytes()), { headers: sized });
  return new Response(streamOf(bytes(range.first, range.last)), {
    status: 206,
    headers: { ...sized, "Content-Range": `bytes ${range.first}-${range.last}/${length}` },
  });
}

/**
 * Whether a Range may be honoured: If-Range equals the strong tag of what would be sent (RFC 9110, section 13.1.5), or
 * If-Match did, or the representation is settled. A date never matches, because responses carry none.
 */
export function rangeApplies(headers: Headers, etag: string, isSettled: boolean): boolean {
  const ifRange = headers.get("if-range");
  if (ifRange !== null) return ifRange.trim() === etag;
  const ifMatch = headers.get("if-match");
  return isSettled || (ifMatch !== null && ifMatch.trim() !== "*");
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
