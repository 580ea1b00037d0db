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
