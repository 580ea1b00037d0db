const ENTITY_TAG = /(W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * Whether If-None-Match says that the client has the representation with this strong tag (quotes included). Compared
 * weakly (RFC 9110, section 13.1.2). If so, the response is 304.
 */
export function clientHas(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return (ifNoneMatch.match(ENTITY_TAG) ?? []).some((tag) => tag.replace(/^W\//, "") === etag);
}

/**
 * Whether a Range may be honoured: there is no If-Range, or it equals the strong tag of what would be sent (RFC 9110,
 * section 13.1.5). A date never matches, because responses carry none.
 */
export function rangeApplies(ifRange: string | null, etag: string): boolean {
  return ifRange === null || ifRange.trim() === etag;
}
