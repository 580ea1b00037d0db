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
