/** Bytes of a representation, both ends included, counted from 0. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * The one range of bytes that a Range header asks of `length` bytes (RFC 9110, section 14.1.2). "all" where it must be
 * ignored: none was sent, several were, or it is malformed or in another unit. "unsatisfiable" where it lies behind the end.
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
