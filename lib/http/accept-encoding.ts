const GZIP_NAMES = ["gzip", "x-gzip"];

/**
 * Whether gzip is acceptable and not less welcome than the plain form (RFC 9110, section 12.5.3). Without the header the
 * plain form is sent, which everybody understands.
 */
export function acceptsGzip(header: string | null): boolean {
  const weights = new Map<string, number>();
  for (const item of (header ?? "").split(",")) {
    const [coding = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
    if (coding !== "") weights.set(coding, weightOf(parameters));
  }
  const gzip = GZIP_NAMES.map((name) => weights.get(name)).find((weight) => weight !== undefined) ?? weights.get("*") ?? 0;
  return gzip > 0 && gzip >= (weights.get("identity") ?? 0);
}

/** A malformed weight is none: what cannot be read must not lead to a coding that is not understood. */
function weightOf(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, "");
  if (weight === undefined) return 1;
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;
}
