/** Longer headers are not read. */
const MOST_CHARACTERS = 1_000;

/** A client's wish to wait for its answer (RFC 7240, section 4.3). */
export interface PreferredWait {
  seconds: number;
  /** Aborted when the client disconnects. */
  gone: AbortSignal;
  /** Whether the answer took the wish into account. */
  isHonoured: boolean;
}

/**
 * The client's wish to wait, by its `Prefer` header: at most `longest` seconds. Null if it has none, or it is not a
 * positive integer.
 */
export function preferredWait(headers: Headers, longest: number, signal: () => AbortSignal): PreferredWait | null {
  const header = headers.get("prefer");
  if (header === null || header.length > MOST_CHARACTERS) return null;
  const unquoted = header.replace(/"(?:[^"\\]|\\.)*"/g, (quoted) => quoted.replace(/[,;]/g, "?"));
  const preferences = unquoted.split(",").map((each) => each.split(";")[0]?.trim() ?? "");
  // Only the first one counts.
  const wait = preferences.find((each) => /^wait\s*(?:=|$)/i.test(each));
  const digits = /^wait\s*=\s*("?)0*([1-9]\d*)\1$/i.exec(wait ?? "")?.[2];
  return digits ? { seconds: Math.min(Number(digits), longest), gone: signal(), isHonoured: false } : null;
}

/** The header that says that the wish was honoured, if it was. */
export function appliedPreference(wait: PreferredWait | null): Record<string, string> {
  return wait?.isHonoured ? { "Preference-Applied": `wait=${wait.seconds}` } : {};
}
