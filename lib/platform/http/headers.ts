/** A coding that we send, with all its names. */
const CODINGS = { br: ["br"], gzip: ["gzip", "x-gzip"] } as const;

/**
 * Whether this coding is acceptable and at least as welcome as the plain form (RFC 9110, section 12.5.3). Without the
 * header, the plain form is sent: every client understands it. Not `hono/accepts`: it never matches `*`, prefers the
 * first of two equal weights, though gzip saves bytes, and takes a malformed weight for 1.
 */
export function accepts(coding: keyof typeof CODINGS, header: string | null): boolean {
  const weights = new Map<string, number>();
  for (const item of (header ?? "").split(",")) {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
    if (name !== "") weights.set(name, weightOf(parameters));
  }
  const named = CODINGS[coding].map((name) => weights.get(name)).find((weight) => weight !== undefined);
  const weight = named ?? weights.get("*") ?? 0;
  return weight > 0 && weight >= (weights.get("identity") ?? 0);
}

/**
 * A malformed weight counts as 0: a header that cannot be parsed must not select a coding the client may not
 * understand.
 */
function weightOf(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, "");
  if (weight === undefined) return 1;
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;
}

/** Longer headers are not read. */
const MAX_CHARACTERS = 1_000;

/** A client's preference to wait for its response (RFC 7240, section 4.3). */
interface PreferredWait {
  seconds: number;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /** Whether the response honoured the preference. */
  isHonoured: boolean;
}

/**
 * The client's preference to wait, by its `Prefer` header: at most `longest` seconds. Null if it has none, or it is not
 * a positive integer.
 */
export function preferredWait(headers: Headers, longest: number, signal: () => AbortSignal): PreferredWait | null {
  const header = headers.get("prefer");
  if (header === null || header.length > MAX_CHARACTERS) return null;
  const unquoted = header.replace(/"(?:[^"\\]|\\.)*"/g, (quoted) => quoted.replace(/[,;]/g, "?"));
  const preferences = unquoted.split(",").map((each) => each.split(";")[0]?.trim() ?? "");
  // Only the first one counts.
  const wait = preferences.find((each) => /^wait\s*(?:=|$)/i.test(each));
  const digits = /^wait\s*=\s*("?)0*([1-9]\d*)\1$/i.exec(wait ?? "")?.[2];
  return digits ? { seconds: Math.min(Number(digits), longest), signal: signal(), isHonoured: false } : null;
}

/** The header that reports that the preference was honoured, if it was. */
export function appliedPreference(wait: PreferredWait | null): Record<string, string> {
  return wait?.isHonoured ? { "Preference-Applied": `wait=${wait.seconds}` } : {};
}

const ENTITY_TAG = /(W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * Whether If-None-Match says that the client has the representation with this strong tag (quotes included). Compared
 * weakly (RFC 9110, section 13.1.2). If so, the response is 304.
 */
export function clientHas(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  return tagsIn(ifNoneMatch).some((tag) => tag === "*" || tag.replace(/^W\//, "") === etag);
}

/**
 * Whether If-Match names the representation with this strong tag (quotes included). Compared strongly (RFC 9110,
 * section 13.1.1). If not, the response is 412.
 */
export function isNamed(ifMatch: string, etag: string): boolean {
  return tagsIn(ifMatch).some((tag) => tag === "*" || tag === etag);
}

const tagsIn = (header: string): string[] => (header.trim() === "*" ? ["*"] : (header.match(ENTITY_TAG) ?? []));

/**
 * Whether this program takes a 200 for the rest that it asked for. wget 1 skips as many bytes of it as it has, appends
 * the others, and reports success, although a server may ignore any range (RFC 9110, section 14.2).
 */
export function wouldAppend(headers: Headers): boolean {
  return /^bytes=0*[1-9]/i.test(headers.get("range") ?? "") && /^wget\b/i.test(headers.get("user-agent") ?? "");
}
